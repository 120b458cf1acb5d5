"""What a program with a profile links besides its own dependencies: the profile, where the linker compiles (ThinLTO), and
the ELF note that says which profile it was."""

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

def _pgo_link_profile_impl(ctx):
    profile = _applied(ctx)
    if not profile:
        return [CcInfo()]
    file = profile.files[COMPILER]
    flags = [
        flag.replace("{profile}", file.path)
        for flag in FLAGS[flags_key(ctx.attr.bolt, True, ctx.attr.thin_lto)]["link"]
        if "{profile}" in flag
    ]
    linker_input = cc_common.create_linker_input(
        owner = ctx.label,
        user_link_flags = depset(flags),
        additional_inputs = depset([file] if flags else []),
    )
    return [CcInfo(linking_context = cc_common.create_linking_context(linker_inputs = depset([linker_input])))]

_LINK_ATTRIBUTES = {
    "profile": attr.label(doc = "The profile.", providers = [PgoProfileInfo]),
    "bolt": attr.bool(doc = "Whether llvm-bolt is to work on the result."),
}

_pgo_link_profile = rule(
    implementation = _pgo_link_profile_impl,
    doc = "The profile, as an input of the link of what depends on this target.",
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
    text = ""
    if is_optimized(ctx) and (profile or ctx.attr.bolt):
        text = """\
.section .note.prodpgo, "a", %%note
.balign 4
.long 2f - 1f, 4f - 3f, 1
1: .asciz "ProdPGO"
2: .balign 4
3: .ascii "%s"
4: .balign 4
""" % _quoted(json.encode({name: fields[name] for name in sorted(fields)}))
    source = ctx.actions.declare_file(ctx.label.name + ".s")
    ctx.actions.write(source, """\
/* Which profile the program was built with; `pgo show` prints it. */
%s.section .note.GNU-stack, "", %%progbits
""" % text)
    return [DefaultInfo(files = depset([source]))]

_pgo_note = rule(
    implementation = _pgo_note_impl,
    doc = "The source of the ELF note, in assembly language: options for compilers have no effect on it.",
    attrs = _LINK_ATTRIBUTES,
)

def pgo_link_dependencies(name, profile, bolt, thin_lto, **common):
    """Declares what a program with a profile links besides its own dependencies.

    Args:
      name: the beginning of the names of the targets.
      profile: the label of the profile, or None, or a select() of these.
      bolt: whether llvm-bolt is to work on the result.
      thin_lto: whether it is a build with ThinLTO.
      **common: attributes of all targets.
    Returns:
      the labels of the targets.
    """
    _pgo_link_profile(name = name + "_link_profile", bolt = bolt, profile = profile, thin_lto = thin_lto, **common)
    _pgo_note(name = name + "_note_source", bolt = bolt, profile = profile, **common)
    cc_library(
        name = name + "_note",
        srcs = [name + "_note_source"],
        alwayslink = True,
        # No debug information, which has the path of the source; no warnings that options have no effect.
        copts = ["-g0"] + (["-Qunused-arguments"] if COMPILER == "clang" else []),
        linkstatic = True,
        **common
    )
    return [name + "_link_profile", name + "_note"]
