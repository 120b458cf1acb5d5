"""What is linked into a program that was built with a profile: the flags of the link, the profile where the linker
compiles, and the ELF note that says which profile it was."""

load("@prodpgo_tools//:flags.bzl", "COMPILER", "FLAGS", "VERSION")
load("@rules_cc//cc:defs.bzl", "CcInfo", "cc_common", "cc_library")
load("//:profile.bzl", "PgoProfileInfo")
load("//:transition.bzl", "flags_key", "is_optimized")

def _applied(ctx):
    """The profile that the compiler is given, or None."""
    if not ctx.attr.profile or not is_optimized(ctx):
        return None
    profile = ctx.attr.profile[PgoProfileInfo]
    return profile if COMPILER in profile.files else None

def _pgo_link_flags_impl(ctx):
    if not is_optimized(ctx):
        return [CcInfo()]
    profile = _applied(ctx)
    flags = FLAGS[flags_key(ctx.attr.bolt, profile != None, COMPILER == "clang" and ctx.attr.thin_lto)]["link"]
    inputs = []
    if profile:
        file = profile.files[COMPILER]
        if [flag for flag in flags if "{profile}" in flag]:
            inputs = [file]
        flags = [flag.replace("{profile}", file.path) for flag in flags]

    # Bazel's own detection chooses gold, which crashes on --emit-relocs and has no ThinLTO of clang 22.
    flags = ["-fuse-ld=lld" if COMPILER == "clang" else "-fuse-ld=bfd"] + flags
    linker_input = cc_common.create_linker_input(
        owner = ctx.label,
        user_link_flags = depset(flags),
        additional_inputs = depset(inputs),
    )
    return [CcInfo(linking_context = cc_common.create_linking_context(linker_inputs = depset([linker_input])))]

_LINK_ATTRIBUTES = {
    "profile": attr.label(doc = "The profile.", providers = [PgoProfileInfo]),
    "bolt": attr.bool(doc = "Whether llvm-bolt is to work on the result."),
}

_pgo_link_flags = rule(
    implementation = _pgo_link_flags_impl,
    doc = "The flags of the link, for what depends on this target.",
    attrs = dict(_LINK_ATTRIBUTES, thin_lto = attr.bool(doc = "Whether to build with ThinLTO.")),
)

def _quoted(text):
    return text.replace("\\", "\\\\").replace("\"", "\\\"")

def _pgo_note_impl(ctx):
    """The source of the note; what it has is explained in cmake-modules/ProdPGONote.cmake."""
    profile = _applied(ctx)
    fields = {"tool": VERSION}
    if ctx.attr.bolt:
        fields["bolt"] = "sha256:" + "0" * 64
    if profile:
        fields["name"] = profile.name
        fields["profile"] = profile.digests[COMPILER]
        fields.update(profile.figures[COMPILER])
    text = "typedef int prodpgo_note;\n"
    if is_optimized(ctx) and (profile or ctx.attr.bolt):
        line = json.encode({name: fields[name] for name in sorted(fields)})
        text += """__asm__(
    ".pushsection .note.prodpgo,\\"a\\",%%note\\n"
    ".balign 4\\n"
    ".long 2f - 1f, 4f - 3f, 1\\n"
    "1: .asciz \\"ProdPGO\\"\\n"
    "2: .balign 4\\n"
    "3: .ascii \\"%s\\"\\n"
    "4: .balign 4\\n"
    ".popsection\\n");
""" % _quoted(_quoted(line))
    source = ctx.actions.declare_file(ctx.label.name + ".c")
    ctx.actions.write(source, "/* Which profile the program was built with; `pgo show` prints it. */\n" + text)
    return [DefaultInfo(files = depset([source]))]

_pgo_note = rule(
    implementation = _pgo_note_impl,
    doc = "The source of the ELF note.",
    attrs = _LINK_ATTRIBUTES,
)

def pgo_link_dependencies(name, profile, bolt, thin_lto, testonly):
    """Declares what a program with a profile links besides its own dependencies.

    Args:
      name: the beginning of the names of the targets.
      profile: the label of the profile, or None.
      bolt: whether llvm-bolt is to work on the result.
      thin_lto: whether it is a build with ThinLTO.
      testonly: as of all rules.
    Returns:
      the labels of the targets.
    """
    common = dict(profile = profile, bolt = bolt, testonly = testonly, tags = ["manual"], visibility = ["//visibility:private"])
    _pgo_link_flags(name = name + "_link_flags", thin_lto = thin_lto, **common)
    _pgo_note(name = name + "_note_source", **common)
    cc_library(
        name = name + "_note",
        srcs = [name + "_note_source"],
        alwayslink = True,
        # Neither the flags of the build nor its warnings are for it; linkers of ThinLTO see an object.
        copts = ["-fno-lto", "-g0", "-w"],
        linkstatic = True,
        testonly = testonly,
        tags = ["manual"],
        visibility = ["//visibility:private"],
    )
    return [name + "_link_flags", name + "_note"]
