"""The flags of a program: those for all that is compiled and linked for it, and those for its own link only.

Programs that differ only in flags for their own link share what is compiled.
"""

load("@prodpgo_tools//:flags.bzl", "COMPILER", "FLAGS")

def _key(bolt, profile, thin_lto):
    """The key of FLAGS (tools_repository.bzl)."""
    thin_lto = thin_lto and COMPILER == "clang"
    return " ".join((["bolt"] if bolt else []) + (["profile"] if profile else []) + (["thin_lto"] if thin_lto else []))

def _names_profile(word):
    return "{profile}" in word

def shared_flags_name(bolt, profile, thin_lto, linker):
    """Names the flags for all that is compiled and linked for a program.

    Args:
      bolt: whether llvm-bolt is to work on the result.
      profile: whether a profile is used.
      thin_lto: whether it is a build with ThinLTO.
      linker: what -fuse-ld gets; toolchain: no such option; empty: the default.
    Returns:
      a string; the same flags have the same name.
    """
    key, plain = _key(bolt, profile, thin_lto), _key(False, profile, thin_lto)
    if FLAGS[key]["compile"] == FLAGS[plain]["compile"]:
        key = plain

    # Bazel's own detection chooses gold, which crashes on --emit-relocs and has no ThinLTO of clang 22.
    return "%s,%s" % (key.replace(" ", "+"), linker or ("lld" if COMPILER == "clang" else "bfd"))

def shared_flags(name):
    """The flags for all that is compiled and linked for a program.

    Args:
      name: what shared_flags_name() returned.
    Returns:
      struct(copt, linkopt, features): words for Bazel's options of these names.
    """
    key, linker = name.split(",")
    words = key.split("+")
    copt = [word for word in FLAGS[" ".join(words)]["compile"] if not _names_profile(word)]
    if COMPILER == "clang":
        # Bazel gives --copt to assembly files, too, and --fdo_profile with an option of GCC.
        copt.append("-Wno-unused-command-line-argument")
        if "profile" in words:
            copt.append("-Wno-ignored-optimization-argument")
    plain = _key(False, "profile" in words, "thin_lto" in words)
    linkopt = [word for word in FLAGS[plain]["link"] if not _names_profile(word)]
    return struct(
        copt = copt,
        features = ["-supports_start_end_lib"] if linker == "bfd" else [],  # of gold and lld only
        linkopt = ([] if linker == "toolchain" else ["-fuse-ld=" + linker]) + linkopt,
    )

def own_link_flags(bolt, profile, thin_lto):
    """The flags for the link of the program itself only: to keep relocations, and the profile for ThinLTO.

    Args:
      bolt: whether llvm-bolt is to work on the result.
      profile: the File of the profile, or None.
      thin_lto: whether it is a build with ThinLTO.
    Returns:
      a list of words.
    """
    shared = FLAGS[_key(False, profile, thin_lto)]["link"]
    return [
        word.replace("{profile}", profile.path) if _names_profile(word) else word
        for word in FLAGS[_key(bolt, profile, thin_lto)]["link"]
        if _names_profile(word) or word not in shared
    ]
