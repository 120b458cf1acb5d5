"""How rules find the C++ toolchain."""

load("@bazel_tools//tools/cpp:toolchain_utils.bzl", _find_cpp_toolchain = "find_cpp_toolchain")

find_cc_toolchain = _find_cpp_toolchain

def use_cc_toolchain():
    """The toolchain types that a rule asks for: none, as it has an attribute for the toolchain.

    Returns:
      an empty list.
    """
    return []
