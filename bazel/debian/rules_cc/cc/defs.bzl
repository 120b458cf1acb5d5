"""The rules and providers that are built into Bazel 4.2.3."""

load("@bazel_tools//tools/cpp:cc_flags_supplier.bzl", _cc_flags_supplier = "cc_flags_supplier")
load("@bazel_tools//tools/cpp:compiler_flag.bzl", _compiler_flag = "compiler_flag")
load("//cc:native.bzl", "NativeCcInfo", "native_cc_common")

CcInfo = NativeCcInfo
cc_common = native_cc_common
cc_flags_supplier = _cc_flags_supplier
compiler_flag = _compiler_flag
cc_binary = native.cc_binary
cc_import = native.cc_import
cc_library = native.cc_library
cc_proto_library = native.cc_proto_library
cc_test = native.cc_test
cc_toolchain = native.cc_toolchain
cc_toolchain_suite = native.cc_toolchain_suite
objc_library = native.objc_library
fdo_prefetch_hints = native.fdo_prefetch_hints
fdo_profile = native.fdo_profile
