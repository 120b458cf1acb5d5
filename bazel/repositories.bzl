"""For a WORKSPACE file:

    load("@prodpgo//:repositories.bzl", "prodpgo")
    prodpgo.tools()
    prodpgo.profile(name = "server", lock = "//:pgo.lock")
"""

load("//:profile_repository.bzl", "prodpgo_profile")
load("//:tools_repository.bzl", "prodpgo_tools")

def _tools(pgo = None):
    """Finds pgo, llvm-bolt and the flags of the compiler.

    Args:
      pgo: the label of the program pgo; none: $PRODPGO_PGO, else what PATH has.
    """
    prodpgo_tools(name = "prodpgo_tools", pgo = pgo)

prodpgo = struct(
    profile = prodpgo_profile,
    tools = _tools,
)
