"""The configuration of a target: is it optimized, and what did a transition (transition.bzl) change in it?

The transitions leave marks: names among --features, which no toolchain knows. (A build setting would also reach the tools
that run during the build, and Bazel before 10 would compile these once more for each program.)
"""

load("//:messages.bzl", "is_required")

# The files of profiles are wanted. The config_setting //:profile_is_wanted has this name, too.
WANTED_MARK = "prodpgo_profile"

# The flags with the name that follows are among the options.
FLAGS_MARK = "prodpgo_flags."

def _is_tool(ctx):
    """Whether the target runs during the build (exec configuration; host configuration of Bazel 4)."""
    folder = ctx.bin_dir.path.split("/")[1]
    return "-exec" in folder or folder == "host"

def is_optimized(ctx):
    """Whether the target is in a configuration that the transitions change.

    Args:
      ctx: of a rule.
    Returns:
      a bool.
    """
    return ctx.var["COMPILATION_MODE"] == "opt" and not ctx.configuration.coverage_enabled and not _is_tool(ctx)

def has_program_flags(ctx):
    """Whether the target is built for a program, with its flags.

    Args:
      ctx: of a rule.
    Returns:
      a bool.
    """
    return any([feature.startswith(FLAGS_MARK) for feature in ctx.features]) and not _is_tool(ctx)

def check_optimized(ctx):
    """Stops where profiles are required and the build is not optimized. Tools need no profile.

    Args:
      ctx: of a rule that has REQUIRED_ATTRIBUTE.
    """
    if is_required(ctx) and not is_optimized(ctx) and not _is_tool(ctx):
        fail(("ProdPGO: %s: --@prodpgo//:required is for optimized builds, and this one is %s. Build with -c opt, or without " +
              "--@prodpgo//:required") % (
            ctx.label,
            "for coverage" if ctx.configuration.coverage_enabled else "-c " + ctx.var["COMPILATION_MODE"],
        ))
