"""The module extension, for MODULE.bazel (Bazel 7 and later):

    bazel_dep(name = "prodpgo", version = "0.1.0")
    prodpgo = use_extension("@prodpgo//:extension.bzl", "prodpgo")
    prodpgo.profile(name = "server", lock = "//:pgo.lock")
    use_repo(prodpgo, "server")
"""

load("//:repositories.bzl", "declare_profile")
load("//:tools_repository.bzl", "prodpgo_tools")

def _prodpgo_impl(module_ctx):
    pgo = None
    for module in module_ctx.modules:
        # Only the root module says what this machine has.
        for tag in (module.tags.tools if module.is_root else []):
            pgo = tag.pgo
    declared = {}
    for module in module_ctx.modules:
        for tag in module.tags.profile:
            if tag.name in declared:
                fail("ProdPGO: modules %s and %s both declare a profile %s: rename one of them" %
                     (declared[tag.name], module.name or "(root)", tag.name))
            declared[tag.name] = module.name or "(root)"  # the root module needs no name
            declare_profile(
                name = tag.name,
                configuration = tag.configuration,
                entry = tag.entry,
                lock = tag.lock,
                pgo = pgo,
            )
    prodpgo_tools(name = "prodpgo_tools", pgo = pgo)

prodpgo = module_extension(
    implementation = _prodpgo_impl,
    doc = "Profiles out of a lock file, and the tools of this machine.",
    tag_classes = {
        "profile": tag_class(
            doc = "The files that one entry of a pgo.lock pins.",
            attrs = {
                "name": attr.string(doc = "The name of the repository and of its target.", mandatory = True),
                "lock": attr.label(doc = "The lock file.", mandatory = True),
                "entry": attr.string(doc = "The name of the profile in the lock file; default: the name."),
                "configuration": attr.string(doc = "The word that the BOLT profile was pushed with."),
            },
        ),
        "tools": tag_class(
            doc = "The programs of this machine.",
            attrs = {"pgo": attr.label(doc = "The program pgo. Without it: $PRODPGO_PGO, else what PATH has.")},
        ),
    },
)
