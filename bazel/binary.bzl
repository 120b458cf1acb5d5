"""cc_pgo_binary: a cc_binary that is built with a profile, with all that is linked into it."""

load("@prodpgo_tools//:environment.bzl", "run_environment")
load("@prodpgo_tools//:flags.bzl", "COMPILER", "UNUSABLE")
load("@rules_cc//cc:defs.bzl", "cc_binary")
load("//:compiler.bzl", "COMPILER_ATTRIBUTES", "COMPILER_FRAGMENTS", "COMPILER_TOOLCHAINS", "check_compiler", "check_takes_profile")
load("//:configuration.bzl", "check_optimized", "is_optimized")
load("//:link.bzl", "pgo_link_dependencies")
load("//:match.bzl", "MATCH_ATTRIBUTES", "match_report")
load("//:messages.bzl", "REQUIRED_ATTRIBUTE", "is_required", "tell", "warn_or_fail")
load("//:profile.bzl", "PgoProgramInfo", "chosen_profile", "has_profile")
load("//:transition.bzl", "TRANSITION_ATTRIBUTES", "pgo_transition", "profile_of")

def _applied_profile(ctx):
    """The profile that the compiler is given. A message says when there is none, or one that is worth little."""
    check_optimized(ctx)
    if not is_optimized(ctx):
        return None
    if not COMPILER:
        warn_or_fail(ctx, "%s: %s" % (ctx.label, UNUSABLE), "Building as cc_binary does")
        return None
    check_compiler(ctx)
    if COMPILER == "gcc" and ctx.attr.thin_lto:
        fail("ProdPGO: %s: thin_lto is for clang, and the compiler is GCC, which has no ThinLTO" % ctx.label)
    if ctx.attr.thin_lto and "thin_lto" in ctx.features:
        fail(("ProdPGO: %s: thin_lto = True and the feature thin_lto exclude each other: the linker would compile twice. Use " +
              "the attribute, which gives the profile to the linker, and features = [\"-thin_lto\"]") % ctx.label)
    profile = profile_of(ctx)
    if not profile:
        return None
    if COMPILER not in profile.files:
        warn_or_fail(
            ctx,
            "%s: profile %s has no file for %s: %s" % (ctx.label, profile.name, COMPILER, profile.missing),
            "Building without it until then",
        )
        return None
    check_takes_profile(ctx)
    if profile.figures[COMPILER].get("quality") == "weak":
        tell(("warning: %s: the quality of %s is weak: too little was sampled to tell hot code from cold. " +
              "Record for longer or on more hosts.") % (ctx.label, profile.shown[COMPILER]))
    return profile

def _environment(ctx):
    return {
        name: ctx.expand_make_variables("env", ctx.expand_location(value, ctx.attr.data), {})
        for name, value in ctx.attr.env.items()
    }

def _link_after(ctx, output, program, checks):
    """Links to the program as soon as the checks succeed. No cache may have the link: it would give a copy."""
    ctx.actions.run_shell(
        command = "ln -s \"$1\" \"$2\"",
        arguments = ["../" * len(output.dirname.split("/")) + program.path, output.path],
        inputs = [program] + checks,
        execution_requirements = {"no-cache": "1", "no-remote": "1"},
        outputs = [output],
        mnemonic = "PgoLink",
        progress_message = "Linking %s, which matches its profile" % ctx.label,
    )

def _pgo_binary_impl(ctx):
    profile = _applied_profile(ctx)
    named = profile_of(ctx)
    linked = ctx.attr.binary[0]
    program = linked[DefaultInfo].files_to_run.executable
    output = ctx.actions.declare_file(ctx.label.name)
    report = match_report(ctx, program, profile)
    checks = report if is_required(ctx) else []
    if checks:
        _link_after(ctx, output, program, checks)
    else:
        ctx.actions.symlink(output = output, target_file = program, is_executable = True)
    runfiles = ctx.runfiles([output] + ctx.files.data).merge(linked[DefaultInfo].default_runfiles)
    for data in ctx.attr.data:
        runfiles = runfiles.merge(data[DefaultInfo].default_runfiles)
    providers = [
        DefaultInfo(executable = output, files = depset([output]), runfiles = runfiles),
        PgoProgramInfo(
            bolt = ctx.attr.bolt,
            checks = checks,
            is_profiled = bool(profile),
            profile = named.input if named else None,
            program = program,
        ),
        OutputGroupInfo(_validation = depset(report)),
        coverage_common.instrumented_files_info(ctx, dependency_attributes = ["binary", "data"]),
    ]
    return providers + ([run_environment(_environment(ctx))] if ctx.attr.env else [])

_pgo_binary = rule(
    implementation = _pgo_binary_impl,
    doc = "The program of a cc_pgo_binary: what its cc_binary makes after the transition.",
    executable = True,
    fragments = COMPILER_FRAGMENTS,
    attrs = dict(
        binary = attr.label(doc = "The cc_binary.", cfg = pgo_transition, mandatory = True),
        data = attr.label_list(doc = "As of cc_binary. The transition does not reach it.", allow_files = True),
        env = attr.string_dict(doc = "As of cc_binary."),
        **dict(TRANSITION_ATTRIBUTES, **dict(MATCH_ATTRIBUTES, **dict(COMPILER_ATTRIBUTES, **REQUIRED_ATTRIBUTE)))
    ),
    toolchains = COMPILER_TOOLCHAINS,
)

# Attributes of all rules that both the program and the cc_binary get, and those that only the program gets.
_FOR_BOTH = ["compatible_with", "exec_compatible_with", "exec_properties", "features", "restricted_to", "target_compatible_with", "testonly", "toolchains"]
_FOR_PROGRAM = ["args", "data", "deprecation", "env", "tags", "visibility"]

def cc_pgo_binary(
        name,
        profile = None,
        bolt = False,
        thin_lto = False,
        min_match = "",
        several = False,
        linker = "",
        **kwargs):
    """A program or shared library that is built profilable, and with a profile once there is one.

    With -c opt, all that is linked into it is compiled with the flags of `pgo flags`, and an ELF note names the
    profile; `pgo match` compares the profile with the result. Other builds are those of a cc_binary.

    Args:
      name: the name of the program. The file before this rule's symbolic link is <name>_prodpgo/<name>.
      profile: the label of a profile, such as "@server", or a dict from conditions to these, as select() takes it; None:
        profilable only.
      bolt: whether llvm-bolt is to work on the result (bolt_binary).
      thin_lto: whether to build with ThinLTO (clang).
      min_match: the minimum match rate in percent, a number or a string; 0: nothing is compared. Default: --@prodpgo//:min_match.
      several: whether the profile covers several binaries, so that functions that this one lacks do not count.
      linker: what -fuse-ld gets; "toolchain": the linker of the toolchain. Default: lld for clang, bfd for GCC.
      **kwargs: as of cc_binary.
    """
    inner = "%s_prodpgo" % name
    binary = "%s/%s" % (inner, name)
    for_both = {attribute: kwargs.pop(attribute) for attribute in _FOR_BOTH if attribute in kwargs}
    for_program = {attribute: kwargs.pop(attribute) for attribute in _FOR_PROGRAM if attribute in kwargs}
    hidden = dict(tags = (for_program.get("tags") or []) + ["manual"], visibility = ["//visibility:private"])
    deps = kwargs.pop("deps", None) or []
    if COMPILER:
        deps = deps + pgo_link_dependencies(inner, chosen_profile(profile), bolt, thin_lto, **dict(hidden, **for_both))
    cc_binary(name = binary, deps = deps, **dict(kwargs, **dict(hidden, **for_both)))
    _pgo_binary(
        name = name,
        binary = binary,
        bolt = bolt,
        has_profile = has_profile(inner + "_has_profile", profile, testonly = for_both.get("testonly", False), **hidden),
        linker = linker,
        min_match = min_match if type(min_match) == "select" else str(min_match),
        profile = chosen_profile(profile),
        several = several,
        thin_lto = thin_lto,
        **dict(for_both, **for_program)
    )
