"""Warnings, which are errors where profiles are required."""

load("//:settings.bzl", "SettingInfo")

# What rules that warn take besides their own attributes.
REQUIRED_ATTRIBUTE = {
    "_required": attr.label(default = "//:required", providers = [SettingInfo]),
}

def is_required(ctx):
    """Whether what cannot be applied is an error.

    Args:
      ctx: of a rule that has REQUIRED_ATTRIBUTE.
    Returns:
      a bool.
    """
    return ctx.attr._required[SettingInfo].value

def tell(text):
    """Prints a message of this package.

    Args:
      text: what happened, where, what to do next.
    """

    # buildifier: disable=print
    print("ProdPGO: " + text)

def warn_or_fail(ctx, text, instead):
    """A warning that says what is built instead, or, where profiles are required, an error.

    Args:
      ctx: of a rule that has REQUIRED_ATTRIBUTE.
      text: what happened, where, what to do next.
      instead: what is built until then.
    """
    if is_required(ctx):
        fail("ProdPGO: %s" % text)
    tell("warning: %s. %s; --@prodpgo//:required makes this an error." % (text, instead))
