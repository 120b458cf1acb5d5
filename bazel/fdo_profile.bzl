"""fdo_profile, from where the running version of Bazel has it."""

load("@rules_cc//cc/toolchains:fdo_profile.bzl", _fdo_profile = "fdo_profile")

fdo_profile = _fdo_profile
