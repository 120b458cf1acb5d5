"""What a program links besides its own dependencies: the flags for its own link, with the profile where the linker
compiles (ThinLTO), and the ELF note that says which profile it was built with."""

load("@prodpgo_tools//:flags.bzl", "COMPILER", "VERSION")
load("@rules_cc//cc:defs.bzl", "CcInfo", "cc_common", "cc_library")
load("//:build_flags.bzl", "own_link_flags")
load("//:configuration.bzl", "has_program_flags")
load("//:profile.bzl", "PgoProfileInfo")

def _applied_profile(ctx):
    """The profile that the compiler is given, or None."""
    if not ctx.attr.profile or not has_program_flags(ctx):
        return None
    profile = ctx.attr.profile[PgoProfileInfo]
    return profile if COMPILER in profile.files else None

def _pgo_link_flags_impl(ctx):
    if not has_program_flags(ctx):
        return [CcInfo()]
    profile = _applied_profile(ctx)
    file = profile.files[COMPILER] if profile else None
    linker_input = cc_common.create_linker_input(
        owner = ctx.label,
        user_link_flags = depset(own_link_flags(ctx.attr.bolt, file, ctx.attr.thin_lto)),
        additional_inputs = depset([file] if file and ctx.attr.thin_lto else []),
    )
    return [CcInfo(linking_context = cc_common.create_linking_context(linker_inputs = depset([linker_input])))]

_LINK_ATTRIBUTES = {
    "profile": attr.label(doc = "The profile.", providers = [PgoProfileInfo]),
    "bolt": attr.bool(doc = "Whether llvm-bolt is to work on the result."),
}

_pgo_link_flags = rule(
    implementation = _pgo_link_flags_impl,
    doc = "The flags for the link of what depends on this target.",
    attrs = dict(_LINK_ATTRIBUTES, thin_lto = attr.bool(doc = "Whether to build with ThinLTO.")),
)

def _quoted(text):
    return text.replace("\\", "\\\\").replace("\"", "\\\"")

def _pgo_note_impl(ctx):
    """The source of the note; what it has is explained in cmake-modules/ProdPGONote.cmake."""
    profile = _applied_profile(ctx)
    fields = {"tool": VERSION}
    if ctx.attr.bolt:
        fields["bolt"] = "sha256:" + "0" * 64
    if profile:
        fields["name"] = profile.name
        fields["profile"] = profile.digests[COMPILER]
        fields.update(profile.figures[COMPILER])
    text = ""
    if has_program_flags(ctx) and (profile or ctx.attr.bolt):
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
    """Declares what a program links besides its own dependencies.

    Args:
      name: the beginning of the names of the targets.
      profile: the label of the profile, or None, or a select() of these.
      bolt: whether llvm-bolt is to work on the result.
      thin_lto: whether it is a build with ThinLTO.
      **common: attributes of all targets.
    Returns:
      the labels of the targets.
    """
    _pgo_link_flags(name = name + "_link_flags", bolt = bolt, profile = profile, thin_lto = thin_lto, **common)
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
    return [name + "_link_flags", name + "_note"]
