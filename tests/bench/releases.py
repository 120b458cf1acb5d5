"""Programs in several of their releases, as fetch_releases.sh puts them: what week_two.py compares."""
import dataclasses
import glob
import pathlib

from programs import HERE, Program, programs

# Of each program by what happened to its sources. `none` is the release that the others follow.
RELEASES = {
    "sqlite": {"none": "3.49.1", "patch_release": "3.49.2", "minor_release": "3.50.2"},
    # RE2's own releases are dates, which its sources do not have.
    "re2": {"none": "of_1.18.0", "release": "of_1.19.2"},
}


def sqlite(directory, tree):
    return dataclasses.replace(
        programs(directory)["sqlite"], tree=tree,
        sources=f"-DSQLITE_THREADSAFE=0 -DSQLITE_OMIT_LOAD_EXTENSION -I{tree} {tree}/sqlite3.c "
                f"{tree}/speedtest1.c -lm".split())


def re2(directory, tree):
    del directory
    sources = sorted(glob.glob(f"{tree}/re2/*.cc")) + [f"{tree}/util/{name}.cc" for name in ("rune", "strutil")]
    return Program(
        "clang++-22", ["-std=c++17", "-DNDEBUG", f"-I{tree}", *sources, str(HERE / "mixed_re2.cc"), "-pthread"], tree,
        *[rounds.split() for rounds in ("8 1", "30 11", "3 11", "3 11")])


def released_program(directory, name, change):
    """The program as of the release that is called `change`; KeyError when there is none."""
    tree = pathlib.Path(directory, f"{name}_{RELEASES[name][change]}").resolve()
    return {"sqlite": sqlite, "re2": re2}[name](directory, tree)
