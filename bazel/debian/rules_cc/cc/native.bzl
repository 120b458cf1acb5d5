"""What defs.bzl cannot define by itself, because a name there hides the built-in one."""

# buildifier: disable=native-cc-common
native_cc_common = cc_common

# buildifier: disable=native-cc-info
NativeCcInfo = CcInfo
