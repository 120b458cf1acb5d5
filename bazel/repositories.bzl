"""For a WORKSPACE file:

    load("@prodpgo//:repositories.bzl", "prodpgo")
    prodpgo.tools()
    prodpgo.profile(name = "server", lock = "//:pgo.lock")
"""

load("//:files_repository.bzl", "prodpgo_files")
load("//:profile_repository.bzl", "prodpgo_profile")
load("//:tools_repository.bzl", "prodpgo_tools")

def _tools(pgo = None):
    """Finds pgo, llvm-bolt and the flags of the compiler.

    Args:
      pgo: the label of the program pgo; none: $PRODPGO_PGO, else what PATH has.
    """
    prodpgo_tools(name = "prodpgo_tools", pgo = pgo)

def declare_profile(name, lock, entry = "", configuration = "", pgo = None):
    """Declares the repository of a profile, and the one with its files.

    Args:
      name: the name of the repository and of its target.
      lock: the label of the lock file.
      entry: the name of the profile in the lock file; default: the name.
      configuration: the word that the BOLT profile was pushed with (pgo push --configuration).
      pgo: the label of the program pgo; none: $PRODPGO_PGO, else what PATH has.
    """
    pinned = dict(configuration = configuration, entry = entry or name, lock = lock, target = name)
    files = name + "_files"
    prodpgo_profile(name = name, files = files, **pinned)
    prodpgo_files(name = files, pgo = pgo, **pinned)

def _profile(name, **kwargs):
    """As declare_profile(), in a WORKSPACE, where tools() must come before it: without it, nothing that uses a profile loads."""
    if not native.existing_rule("prodpgo_tools"):
        fail("ProdPGO: call prodpgo.tools() before prodpgo.profile(name = \"%s\")" % name)
    declare_profile(name, **kwargs)

prodpgo = struct(
    profile = _profile,
    tools = _tools,
)
