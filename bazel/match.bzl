"""Does the profile match the build? `pgo match` compares the two, as a validation action: Bazel runs it with each build
of the program, and nothing waits for it. Where profiles are required, all that uses the program waits for it."""

load("@prodpgo_tools//:flags.bzl", "COMPILER")
load("//:messages.bzl", "is_required")
load("//:program.bzl", "LOCAL_PROGRAMS")
load("//:settings.bzl", "SettingInfo")

MATCH_ATTRIBUTES = {
    "min_match": attr.string(doc = "The minimum match rate in percent; 0: nothing is compared."),
    "several": attr.bool(doc = "Whether the profile covers several binaries (pgo match --several)."),
    "_min_match": attr.label(default = "//:min_match", providers = [SettingInfo]),
    "_pgo": attr.label(default = "@prodpgo_tools//:pgo", allow_single_file = True, executable = True, cfg = "exec"),
}

def _is_percentage(text):
    parts = text.split(".")
    if len(parts) > 2 or not all([part.isdigit() for part in parts]):
        return False
    return int(parts[0]) < 100 or (int(parts[0]) == 100 and not "".join(parts[1:]).strip("0"))

def match_report(ctx, binary, profile):
    """Declares the action.

    Args:
      ctx: of a rule that has MATCH_ATTRIBUTES.
      binary: the File that was linked.
      profile: the PgoProfileInfo that was applied, or None.
    Returns:
      a list with the File of the report; none when nothing is compared.
    """
    min_match = ctx.attr.min_match or ctx.attr._min_match[SettingInfo].value
    if min_match and not _is_percentage(min_match):
        fail("ProdPGO: %s: min_match must be a percentage from 0 to 100, not %s" % (ctx.label, min_match))
    if not profile or COMPILER != "clang" or (min_match and not min_match.strip("0.")):
        return []
    report = ctx.actions.declare_file(ctx.label.name + ".match.json")
    file = profile.files[COMPILER]
    arguments = ctx.actions.args()
    arguments.add("match").add(binary)
    arguments.add("--profile", file)
    arguments.add("--shown-as", profile.input)
    arguments.add("--report", report)
    arguments.add("--error" if is_required(ctx) else "--warn")
    if min_match:
        arguments.add("--min-match", min_match)
    if ctx.attr.several:
        arguments.add("--several")
    ctx.actions.run(
        executable = ctx.executable._pgo,
        arguments = [arguments],
        inputs = [binary, file],
        execution_requirements = LOCAL_PROGRAMS,
        outputs = [report],
        mnemonic = "PgoMatch",
        progress_message = "Comparing %s with its profile" % ctx.label,
    )
    return [report]
