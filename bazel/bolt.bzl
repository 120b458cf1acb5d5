"""bolt_binary: a program that llvm-bolt has optimized, through `pgo bolt`."""

load("//:messages.bzl", "REQUIRED_ATTRIBUTE", "is_required", "tell", "warn_or_fail")
load("//:profile.bzl", "PgoProfileInfo")
load("//:transition.bzl", "is_optimized")

def _usable_profile(ctx):
    """The profile, when there is one for BOLT that is good enough."""
    if not is_optimized(ctx):
        return None
    profile = ctx.attr.profile[PgoProfileInfo]
    if "bolt" not in profile.files:
        text = "%s: profile %s has no file for bolt: %s" % (ctx.label, profile.name, profile.missing_bolt)
        if profile.is_bolt_pinned:
            warn_or_fail(ctx, text, "Building without BOLT until then")
        else:
            # The first build never has one: it is made from recordings of that build.
            tell(text + ". Building without BOLT until then")
        return None
    figures = profile.figures["bolt"]
    evidence, quality = figures["evidence"], figures.get("quality", "unknown")
    if evidence not in ["pc-samples", "function-and-line"] or quality == "good" or ctx.attr.allow_inferred:
        return profile
    warn_or_fail(
        ctx,
        ("%s: the counts of the BOLT profile %s were inferred from %s (quality %s), with which BOLT may make a program " +
         "slower. Record branches or more samples, or add allow_inferred = True to use it anyway") % (
            ctx.label,
            profile.shown["bolt"],
            "PC samples" if evidence == "pc-samples" else "samples with functions and lines only",
            quality,
        ),
        "Building without BOLT",
    )
    return None

def _bolt_binary_impl(ctx):
    if ctx.attr.on_failure not in ["", "keep", "error"]:
        fail("ProdPGO: %s: on_failure must be keep or error, not %s" % (ctx.label, ctx.attr.on_failure))
    if ctx.attr.check and "{}" not in ctx.attr.check:
        fail("ProdPGO: %s: check '%s' has no {} for the path of the program to check" % (ctx.label, ctx.attr.check))
    binary = ctx.executable.binary
    output = ctx.actions.declare_file(ctx.label.name)
    groups = {}
    profile = _usable_profile(ctx)
    if not profile:
        ctx.actions.symlink(output = output, target_file = binary, is_executable = True)
    else:
        log = ctx.actions.declare_file(ctx.label.name + ".bolt.log")
        groups["bolt_log"] = depset([log])
        _run_pgo_bolt(ctx, profile, binary, output, log)
    return [
        DefaultInfo(
            executable = output,
            files = depset([output]),
            runfiles = ctx.runfiles([output]).merge(ctx.attr.binary[DefaultInfo].default_runfiles),
        ),
        OutputGroupInfo(**groups),
    ]

def _run_pgo_bolt(ctx, profile, binary, output, log):
    tools = {file.basename: file for file in ctx.files._bolt}
    if "llvm-bolt" not in tools:
        fail("ProdPGO: %s: llvm-bolt was not found. Install it (Debian: bolt-22), or name it: " % ctx.label +
             "--repo_env=PRODPGO_LLVM_BOLT=/path/to/llvm-bolt")
    inputs = [binary, profile.files["bolt"], profile.bolt_report]
    stale = ctx.file.stale or profile.files.get("prebolt")
    arguments = ctx.actions.args()
    arguments.add("bolt").add(binary)
    arguments.add("-o", output)
    arguments.add("--profile", profile.files["bolt"])
    arguments.add("--log", log)
    for name, file in sorted(tools.items()):
        arguments.add("--" + name, file)
    if stale:
        arguments.add("--stale", stale)
        inputs.append(stale)
    if ctx.attr.allow_inferred:
        arguments.add("--allow-inferred")
    if ctx.attr.check:
        arguments.add("--check", ctx.attr.check)
    on_failure = ctx.attr.on_failure or ("error" if is_required(ctx) else "")
    if on_failure:
        arguments.add("--on-failure", on_failure)
    if ctx.attr.timeout_seconds:
        arguments.add("--timeout", str(ctx.attr.timeout_seconds))
    if ctx.attr.bolt_options:
        arguments.add("--")
        arguments.add_all(ctx.attr.bolt_options)
    ctx.actions.run(
        executable = ctx.executable._pgo,
        arguments = [arguments],
        inputs = inputs + ctx.files.data,
        tools = tools.values(),
        outputs = [output, log],
        mnemonic = "PgoBolt",
        progress_message = "Optimizing %s with llvm-bolt" % ctx.label,
    )

bolt_binary = rule(
    implementation = _bolt_binary_impl,
    doc = """A program or shared library that llvm-bolt has optimized.

    Without a BOLT profile, and with -c fastbuild or dbg, it is `binary` as it is.""",
    executable = True,
    attrs = dict(
        binary = attr.label(doc = "The cc_pgo_binary with bolt = True.", mandatory = True, executable = True, cfg = "target"),
        profile = attr.label(doc = "The profile, such as \"@server\".", mandatory = True, providers = [PgoProfileInfo]),
        stale = attr.label(
            doc = "The earlier build that the BOLT profile is of, before BOLT. Without it: the one that the lock pins, if any.",
            allow_single_file = True,
        ),
        check = attr.string(doc = "A shell command that must succeed, with {} for the path of the new program."),
        data = attr.label_list(doc = "Files that `check` reads.", allow_files = True),
        allow_inferred = attr.bool(doc = "Also use inferred counts whose quality is below good."),
        on_failure = attr.string(doc = "keep: deliver `binary` with a warning (the default); error: stop (where required)."),
        timeout_seconds = attr.int(doc = "How long llvm-bolt, perf2bolt and the check may run each; 0: an hour."),
        bolt_options = attr.string_list(doc = "Options for llvm-bolt."),
        _pgo = attr.label(default = "@prodpgo_tools//:pgo", allow_single_file = True, executable = True, cfg = "exec"),
        _bolt = attr.label(default = "@prodpgo_tools//:bolt", cfg = "exec"),
        **REQUIRED_ATTRIBUTE
    ),
)
