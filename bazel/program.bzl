"""Programs of this machine that repository rules run: pgo, and the compiler whose flags are chosen."""

# The variables of the environment that name compilers, and programs.
COMPILER_VARIABLES = ["CC", "PRODPGO_CC"]
PROGRAM_VARIABLES = COMPILER_VARIABLES + ["PATH", "PRODPGO_LLVM_BOLT", "PRODPGO_PGO"]
_PROGRAMS = ["gcc", "llvm-bolt", "llvm-bolt-22", "perf2bolt", "perf2bolt-22", "pgo"]

# pgo and llvm-bolt are programs of this machine, with its libraries. Their results may be shared: the programs are inputs,
# so the keys of a remote cache have their contents.
LOCAL_PROGRAMS = {"no-remote-exec": "1"}

def watch_programs(rctx):
    """Lets Bazel 7.1 and later look again when a program comes, changes or goes.

    Args:
      rctx: of a repository rule.
    """
    if not hasattr(rctx, "watch"):
        return
    named = [rctx.os.environ.get(name) for name in PROGRAM_VARIABLES if name != "PATH"]
    folders = [folder for folder in rctx.os.environ.get("PATH", "").split(":") if folder.startswith("/")]
    for name in _PROGRAMS + [name for name in named if name]:
        for path in [name] if name.startswith("/") else ["%s/%s" % (folder, name) for folder in folders]:
            rctx.watch(path)

def _look_again(rctx):
    """What lets Bazel see a program that was installed."""
    return "" if hasattr(rctx, "watch") else " and run bazel sync --configure"

def find_pgo(rctx):
    """Finds pgo: attribute `pgo`, $PRODPGO_PGO, PATH, or bin/pgo of the installation that this package is in.

    Args:
      rctx: of a repository rule with an attribute `pgo`.
    Returns:
      struct(path, error): a path, or why there is none.
    """
    if rctx.attr.pgo:
        return struct(path = rctx.path(rctx.attr.pgo), error = "")
    named = rctx.os.environ.get("PRODPGO_PGO")
    found = named or rctx.which("pgo")
    if not found:
        # <prefix>/share/prodpgo/bazel/program.bzl
        package = rctx.path(Label("//:program.bzl")).realpath.dirname
        found = package.dirname.dirname.dirname.get_child("bin").get_child("pgo")
    path = rctx.path(str(found))
    if path.exists:
        return struct(path = path, error = "")
    return struct(
        path = None,
        error = "%s. Put it into PATH%s, or name it: --repo_env=PRODPGO_PGO=/path/to/pgo" % (
            "PRODPGO_PGO is %s, which does not exist" % named if named else "pgo was not found",
            _look_again(rctx),
        ),
    )

def find_compiler(rctx):
    """Finds the compiler whose flags are chosen: $PRODPGO_CC, else what Bazel's own detection takes: $CC, else gcc.

    Args:
      rctx: of a repository rule.
    Returns:
      struct(path, error): a path, as a string, or why there is none.
    """
    named = rctx.os.environ.get("PRODPGO_CC") or rctx.os.environ.get("CC") or "gcc"
    found = named if named.startswith("/") else rctx.which(named)
    if found and rctx.path(str(found)).exists:
        return struct(path = str(found), error = "")
    return struct(
        path = None,
        error = "there is no compiler %s. Name the one that your C++ toolchain runs: --repo_env=PRODPGO_CC=/path/to/clang" % named,
    )

def find_llvm_bolt(rctx):
    """Finds llvm-bolt and perf2bolt.

    Args:
      rctx: of a repository rule.
    Returns:
      struct(programs, error): a dict from these names to paths, as far as they are there; why there is no llvm-bolt.
    """
    named = rctx.os.environ.get("PRODPGO_LLVM_BOLT")
    found = {}
    for name in ["llvm-bolt", "perf2bolt"]:
        path = rctx.which(name + "-22") or rctx.which(name)
        if named:
            path = rctx.path(named)
            path = path if name == "llvm-bolt" else path.dirname.get_child(path.basename.replace("llvm-bolt", name))
        if path and path.exists:
            found[name] = path
    if "llvm-bolt" in found:
        return struct(programs = found, error = "")
    return struct(
        programs = {},
        error = "%s. Install it (Debian: bolt-22)%s, or name it: --repo_env=PRODPGO_LLVM_BOLT=/path/to/llvm-bolt" % (
            "PRODPGO_LLVM_BOLT is %s, which does not exist" % named if named else "llvm-bolt was not found",
            _look_again(rctx),
        ),
    )

def run(rctx, arguments):
    """Runs a program.

    Args:
      rctx: of a repository rule.
      arguments: the words of its command line, strings or paths.
    Returns:
      struct(code, output, error): the exit code, standard output, and standard error without "pgo: error: " and line end.
    """
    done = rctx.execute([str(word) for word in arguments], timeout = 3600)
    error = done.stderr.strip()
    for prefix in ["pgo: error: ", "pgo: "]:
        if error.startswith(prefix):
            error = error[len(prefix):]
    return struct(code = done.return_code, output = done.stdout, error = error or "exit code %s" % done.return_code)
