"""bolt_binary: a program that llvm-bolt has optimized, through `pgo bolt`."""

load("@prodpgo_tools//:flags.bzl", "BOLT_UNUSABLE", "COMPILER", "UNUSABLE")
load("//:configuration.bzl", "check_optimized", "is_optimized")
load("//:messages.bzl", "REQUIRED_ATTRIBUTE", "is_required", "tell", "warn_or_fail")
load("//:profile.bzl", "PgoProgramInfo", "chosen_profile")
load("//:program.bzl", "LOCAL_PROGRAMS")
load("//:transition.bzl", "PROFILE_ATTRIBUTES", "profile_of")

def _profile_of_binary(ctx, profile):
    """The profile whose file for BOLT fits the binary: a shared library takes its own, which it may not have.

    pgo refresh makes none for a library with few samples, so building without it is no fault."""
    name = ctx.executable.binary.basename
    if name.rstrip("0123456789.").endswith(".so"):
        name = name.rstrip("0123456789.")
    if name in profile.libraries:
        return profile.libraries[name]
    if not name.endswith(".so") or not ("bolt" in profile.files or profile.libraries):
        return profile
    others = (["the program"] if "bolt" in profile.files else []) + sorted(profile.libraries)
    tell("%s: profile %s has BOLT profiles of %s, and none of %s. Building it without BOLT" % (
        ctx.label,
        profile.name,
        ", ".join(others),
        name,
    ))
    return None

def _usable_profile(ctx):
    """The profile, when there is one for BOLT that is good enough."""
    check_optimized(ctx)
    if not is_optimized(ctx):
        return None
    program = ctx.attr.binary[PgoProgramInfo] if PgoProgramInfo in ctx.attr.binary else None
    if not COMPILER:
        if not program:  # else cc_pgo_binary says so
            warn_or_fail(ctx, "%s: %s" % (ctx.label, UNUSABLE), "Building without BOLT")
        return None
    profile = profile_of(ctx)
    if not profile:
        warn_or_fail(ctx, "%s has no profile: give it the one of %s" % (ctx.label, ctx.attr.binary.label), "Building without BOLT")
        return None
    if not profile.files and not profile.libraries and program and program.profile == profile.input:
        return None  # cc_pgo_binary says so
    profile = _profile_of_binary(ctx, profile)
    if not profile:
        return None
    if "bolt" not in profile.files:
        text = "%s: profile %s has no file for bolt: %s" % (ctx.label, profile.name, profile.missing_bolt)
        if ctx.attr.allow_missing and not profile.is_bolt_pinned:
            tell(text + ". Building without BOLT until then")
        else:
            warn_or_fail(ctx, text, "Building without BOLT until then")
        return None
    if BOLT_UNUSABLE:
        warn_or_fail(ctx, "%s: %s" % (ctx.label, BOLT_UNUSABLE), "Building without BOLT")
        return None
    if program and not program.bolt:
        warn_or_fail(
            ctx,
            "%s: %s keeps no relocations, without which llvm-bolt cannot move functions: add bolt = True to it" % (
                ctx.label,
                ctx.attr.binary.label,
            ),
            "Building without BOLT",
        )
        return None
    figures = profile.figures["bolt"]
    evidence, quality = figures["evidence"], figures.get("quality", "unknown")
    if evidence not in ["pc-samples", "function-and-line"] or ctx.attr.allow_inferred:
        return profile

    # pgo/profile/bolt_evidence.h has the same rule.
    if PgoProgramInfo in ctx.attr.binary and ctx.attr.binary[PgoProgramInfo].is_profiled:
        why = ("and %s is built with a compile profile: with inferred counts, BOLT increased the taken branches of two of three " +
               "such programs, with any number of samples. Record branches (perf record -b, or pgo record --engine step)") % (
            ctx.attr.binary.label,
        )
    elif quality == "good":
        return profile
    else:
        why = "(quality %s), with which BOLT may make a program slower. Record branches or more samples" % quality
    warn_or_fail(
        ctx,
        "%s: the counts of the BOLT profile %s were inferred from %s %s, or add allow_inferred = True to use it anyway" % (
            ctx.label,
            profile.shown["bolt"],
            "PC samples" if evidence == "pc-samples" else "samples with functions and lines only",
            why,
        ),
        "Building without BOLT",
    )
    return None

def _bolt_binary_impl(ctx):
    if ctx.attr.on_failure not in ["", "keep", "keep-stale", "error"]:
        fail("ProdPGO: %s: on_failure must be keep, keep-stale or error, not %s" % (ctx.label, ctx.attr.on_failure))
    if ctx.attr.check and "{}" not in ctx.attr.check:
        fail("ProdPGO: %s: check '%s' has no {} for the path of the program to check" % (ctx.label, ctx.attr.check))
    runfiles = ctx.attr.binary[DefaultInfo].default_runfiles
    output = ctx.actions.declare_file(ctx.label.name)
    groups = {}
    profile = _usable_profile(ctx)
    program = ctx.executable.binary
    if profile:
        program, libraries, log = _optimize(ctx, profile)
        groups["bolt_log"] = depset([log])
        runfiles = runfiles.merge(ctx.runfiles([program] + libraries))
    ctx.actions.symlink(output = output, target_file = program, is_executable = True)
    return [
        DefaultInfo(
            executable = output,
            files = depset([output]),
            runfiles = ctx.runfiles([output]).merge(runfiles),
        ),
        OutputGroupInfo(**groups),
    ]

def _moved(ctx, file):
    """Declares a file whose path below the folder <name>_prodpgo is that of `file` below its output directory."""
    return ctx.actions.declare_file("%s_prodpgo/%s" % (ctx.label.name, file.path[len(file.root.path) + 1:]))

def _shared_libraries(ctx, binary):
    """Links to the shared libraries that Bazel built, where the optimized program looks for them.

    The program's RUNPATH is relative to its own path: $ORIGIN/../_solib_k8, as many levels up as the path has."""
    libraries = []
    for file in ctx.attr.binary[DefaultInfo].default_runfiles.files.to_list():
        if file.path.startswith(binary.root.path + "/_solib_"):
            library = _moved(ctx, file)
            ctx.actions.symlink(output = library, target_file = file)
            libraries.append(library)
    return libraries

def _optimize(ctx, profile):
    """The optimized program, the shared libraries beside it, and the log."""
    binary = ctx.executable.binary
    if PgoProgramInfo in ctx.attr.binary:
        binary = ctx.attr.binary[PgoProgramInfo].program
    program = _moved(ctx, binary)
    log = ctx.actions.declare_file(ctx.label.name + ".bolt.log")
    libraries = _shared_libraries(ctx, binary)
    _run_pgo_bolt(ctx, profile, binary, program, libraries, log)
    return program, libraries, log

def _run_pgo_bolt(ctx, profile, binary, output, libraries, log):
    programs = {file.basename: file for file in ctx.files._bolt}
    inputs = [binary, profile.files["bolt"], profile.bolt_report] + libraries
    if PgoProgramInfo in ctx.attr.binary:
        inputs = inputs + ctx.attr.binary[PgoProgramInfo].checks
    tools = programs.values()
    environment = dict(ctx.configuration.default_shell_env)  # --action_env, for check
    runfiles = []
    stale = ctx.file.stale or profile.files.get("prebolt")
    arguments = ctx.actions.args()
    arguments.add("bolt").add(binary)
    arguments.add("-o", output)
    arguments.add("--profile", profile.files["bolt"])
    arguments.add("--log", log)
    for name, file in sorted(programs.items()):
        arguments.add("--" + name, file)
    if stale:
        arguments.add("--stale", stale)
        inputs.append(stale)
    if ctx.attr.allow_inferred:
        arguments.add("--allow-inferred")
    if ctx.attr.check:
        arguments.add("--check", ctx.expand_location(ctx.attr.check, ctx.attr.data))

        # The program that `check` runs finds its runfiles as those of `binary`.
        environment["RUNFILES_DIR"] = ctx.executable.binary.path + ".runfiles"
        tools.append(ctx.attr.binary[DefaultInfo].files_to_run)
        runfiles = [target[DefaultInfo].default_runfiles.files for target in ctx.attr.data + [ctx.attr.binary]]
    on_failure = ctx.attr.on_failure or ("keep-stale" if is_required(ctx) else "keep")
    arguments.add("--on-failure", on_failure)
    if ctx.attr.timeout_seconds:
        arguments.add("--timeout", str(ctx.attr.timeout_seconds))
    if ctx.attr.bolt_options:
        arguments.add("--")
        arguments.add_all(ctx.attr.bolt_options)
    ctx.actions.run(
        executable = ctx.executable._pgo,
        arguments = [arguments],
        inputs = depset(inputs + ctx.files.data, transitive = runfiles),
        env = environment,
        # What is kept after a failure is a success for Bazel, and the failure may be of this machine only (a timeout, a check).
        execution_requirements = dict(LOCAL_PROGRAMS, **({"no-cache": "1"} if on_failure == "keep" else {})),
        tools = tools,
        outputs = [output, log],
        mnemonic = "PgoBolt",
        progress_message = "Optimizing %s with llvm-bolt" % ctx.label,
    )

_bolt_binary = rule(
    implementation = _bolt_binary_impl,
    doc = "The program of a bolt_binary.",
    executable = True,
    attrs = dict(
        binary = attr.label(doc = "The cc_pgo_binary with bolt = True.", mandatory = True, executable = True, cfg = "target"),
        stale = attr.label(
            doc = "The earlier build that the BOLT profile is of, before BOLT. Without it: the one that the lock pins, if any.",
            allow_single_file = True,
        ),
        check = attr.string(doc = "A shell command that must succeed, with {} for the path of the new program, and $(location) for data."),
        data = attr.label_list(doc = "Files and programs that `check` uses.", allow_files = True),
        allow_missing = attr.bool(doc = "Build without BOLT where profiles are required, until the lock file pins a BOLT profile."),
        allow_inferred = attr.bool(doc = "Also use inferred counts whose quality is below good, or for a program with a compile profile."),
        on_failure = attr.string(doc = "keep: deliver `binary` with a warning (the default); error: stop; keep-stale (the default where required): as keep if most of the profile is of code that has changed since the recording, else as error."),
        timeout_seconds = attr.int(doc = "How long llvm-bolt, perf2bolt and the check may run each; 0: an hour."),
        bolt_options = attr.string_list(doc = "Options for llvm-bolt."),
        _pgo = attr.label(default = "@prodpgo_tools//:pgo", allow_single_file = True, executable = True, cfg = "exec"),
        _bolt = attr.label(default = "@prodpgo_tools//:bolt", cfg = "exec"),
        **dict(PROFILE_ATTRIBUTES, **REQUIRED_ATTRIBUTE)
    ),
)

def bolt_binary(name, profile, **kwargs):
    """A program or shared library that llvm-bolt has optimized.

    Without a BOLT profile, and with -c fastbuild or dbg, it is `binary` as it is.

    Args:
      name: the name of the program.
      profile: the profile, as of cc_pgo_binary.
      **kwargs: the attributes of the rule above, and those of all rules.
    """
    _bolt_binary(name = name, profile = chosen_profile(profile), **kwargs)
