"""The rules: load("@prodpgo//:defs.bzl", "cc_pgo_binary", "bolt_binary").

How a build runs:

1. repositories.bzl (WORKSPACE) or extension.bzl (MODULE.bazel) declares repositories, which Bazel fetches when it needs
   them:
   - @prodpgo_tools (tools_repository.bzl): pgo and llvm-bolt of this machine, and the flags that pgo chooses;
   - @server (profile_repository.bzl): targets for what pgo.lock pins (lock.bzl);
   - @server_files (files_repository.bzl): the files themselves, by `pgo pull --locked`.
2. cc_pgo_binary (binary.bzl) declares a cc_binary, the ELF note that it links (link.bzl), and the program: a link to the
   cc_binary as pgo_transition (transition.bzl) has it built, with the profile and the flags (build_flags.bzl).
   Which builds that are: configuration.bzl.
3. `pgo match` compares the program with its profile (match.bzl).
4. bolt_binary (bolt.bzl) gives the program to `pgo bolt`, with the BOLT profile.

What cannot be done is a warning, or an error where profiles are required (messages.bzl).
"""

load("//:binary.bzl", _cc_pgo_binary = "cc_pgo_binary")
load("//:bolt.bzl", _bolt_binary = "bolt_binary")

bolt_binary = _bolt_binary
cc_pgo_binary = _cc_pgo_binary
