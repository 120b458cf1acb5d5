"""The rules: load("@prodpgo//:defs.bzl", "cc_pgo_binary", "bolt_binary")."""

load("//:binary.bzl", _cc_pgo_binary = "cc_pgo_binary")
load("//:bolt.bzl", _bolt_binary = "bolt_binary")

bolt_binary = _bolt_binary
cc_pgo_binary = _cc_pgo_binary
