"""prodpgo_profilable: a feature for the configuration of a C++ toolchain that is your own.

    load("@prodpgo//:feature.bzl", "prodpgo_features")

    cc_common.create_cc_toolchain_config_info(..., features = [...] + prodpgo_features())

Then --features=prodpgo_profilable, or features = ["prodpgo_profilable"] of a target or package, makes code profilable
without any rule of this package.
"""

load("@prodpgo_tools//:flags.bzl", "FLAGS")
load("@rules_cc//cc:action_names.bzl", "ACTION_NAMES")
load("@rules_cc//cc:cc_toolchain_config_lib.bzl", "feature", "flag_group", "flag_set")

def prodpgo_features(bolt = True):
    """The features that this package has for toolchains.

    Args:
      bolt: whether llvm-bolt is to work on the result.
    Returns:
      a list of features.
    """
    flags = FLAGS["bolt" if bolt else ""]
    return [feature(
        name = "prodpgo_profilable",
        flag_sets = [
            flag_set(
                actions = [ACTION_NAMES.c_compile, ACTION_NAMES.cpp_compile],
                flag_groups = [flag_group(flags = flags["compile"])],
            ),
            flag_set(
                actions = [ACTION_NAMES.cpp_link_executable, ACTION_NAMES.cpp_link_dynamic_library],
                flag_groups = [flag_group(flags = flags["link"])],
            ),
        ],
    )]
