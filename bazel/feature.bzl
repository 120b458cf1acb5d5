"""Features for the configuration of a C++ toolchain that is your own.

    load("@prodpgo//:feature.bzl", "prodpgo_features")

    cc_common.create_cc_toolchain_config_info(..., features = [...] + prodpgo_features())

Then --features=prodpgo_profilable, or features = ["prodpgo_profilable"] of a target or package, makes code profilable
without any rule of this package. The feature autofdo gives the compiler the profile of --fdo_profile; Bazel adds it to
toolchains without `no_legacy_features`, and cc_pgo_binary needs it.
"""

load("@prodpgo_tools//:flags.bzl", "COMPILER", "FLAGS")
load("@rules_cc//cc:action_names.bzl", "ACTION_NAMES")
load("@rules_cc//cc:cc_toolchain_config_lib.bzl", "feature", "flag_group", "flag_set")

# What Bazel gives a profile to.
_COMPILE = [ACTION_NAMES.c_compile, ACTION_NAMES.cpp_compile]

def _known(names):
    """The actions with these names, as far as the running version of Bazel has them."""
    return [getattr(ACTION_NAMES, name) for name in names if hasattr(ACTION_NAMES, name)]

# What makes code of C and C++. Modules and the headers that are parsed for them must have the options of what uses them.
_COMPILE_ALL = _known([
    "c_compile",
    "cpp_compile",
    "cpp_header_parsing",
    "cpp_module_compile",
    "cpp_module_codegen",
    "cpp20_module_compile",
    "cpp20_module_codegen",
])
_LINK = _known(["cpp_link_executable", "cpp_link_dynamic_library", "cpp_link_nodeps_dynamic_library"])

def _words(actions, words):
    """A list with a flag_set, or none where there are no words."""
    return [flag_set(actions = actions, flag_groups = [flag_group(flags = words)])] if words else []

def prodpgo_features(bolt = True, autofdo = True):
    """The features that this package has for toolchains.

    Args:
      bolt: whether llvm-bolt is to work on the result.
      autofdo: whether to add the feature autofdo. False, if the toolchain has one.
    Returns:
      a list of features.
    """
    flags = FLAGS["bolt" if bolt else ""] if COMPILER else {"compile": [], "link": []}
    features = [feature(
        name = "prodpgo_profilable",
        flag_sets = _words(_COMPILE_ALL, flags["compile"]) + _words(_LINK, flags["link"]),
    )]
    if autofdo:
        option = "-fprofile-sample-use" if COMPILER == "clang" else "-fauto-profile"
        features.append(feature(
            name = "autofdo",
            flag_sets = [flag_set(
                actions = _COMPILE,
                flag_groups = [flag_group(
                    expand_if_available = "fdo_profile_path",
                    flags = [option + "=%{fdo_profile_path}"],
                )],
            )],
            provides = ["profile"],
        ))
    return features
