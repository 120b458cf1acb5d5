"""The programs of the win table: how each is compiled, trained, measured, counted and checked."""
import dataclasses
import glob
import pathlib
import re

HERE = pathlib.Path(__file__).resolve().parent
SAMPLES = HERE.parent.parent / "samples"


# What distributions build with.
HARDENING = ("-fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3 -D_GLIBCXX_ASSERTIONS "
             "-fcf-protection -Wl,-z,force-ibt").split()


@dataclasses.dataclass
class Program:
    """How to compile it (before flags and -o), and the arguments of its runs."""

    compiler: str
    sources: list
    tree: pathlib.Path  # where its headers are
    train: list
    run: list
    count: list
    check: list  # what this prints shows whether the program works
    times: bytes = rb"(?!)"  # a regular expression of what is printed but is another on each run
    sample: list = ()  # of a run long enough for samples by the clock; the same work as `train`


def hardened(program):
    return dataclasses.replace(program, sources=[*HARDENING, *program.sources])


def leveldb_sources(directory):
    """Those of the library: no tests, no tools, nothing for another system."""
    found = [name for folder in ("db", "table", "util", "helpers/memenv")
             for name in sorted(glob.glob(f"{directory}/{folder}/*.cc"))]
    return [name for name in found
            if not re.search(r"_test|testutil|windows|leveldbutil|dumpfile|histogram|/c\.cc", name)]


def programs(directory):
    """By name. `directory` has the sources that bench.sh fetches."""
    sqlite, lua, leveldb, zstd = (pathlib.Path(directory, f"{name}_source").resolve()
                                  for name in ("sqlite", "lua", "leveldb", "zstd"))
    queryd, reckon = SAMPLES / "queryd", SAMPLES / "reckon"
    script, queens = str(HERE / "mixed.lua"), f"{reckon}/programs/queens.reckon"
    return {
        "sqlite": Program(
            "clang-22",
            f"-DSQLITE_THREADSAFE=0 -DSQLITE_OMIT_LOAD_EXTENSION -I{sqlite} {sqlite}/sqlite3.c "
            f"{sqlite}/test/speedtest1.c -lm".split(), sqlite,
            "--size 30 :memory:".split(), "--size 20 :memory:".split(), "--size 10 :memory:".split(),
            "--size 10 --verify :memory:".split(), rb"\d+\.\d\d\ds", sample="--size 30 :memory:".split()),
        "lua": Program(
            "clang-22",
            ["-DLUA_USE_POSIX", "-Dluai_makeseed(L)=5489",  # the seed of its hashes, else the time
             *sorted(set(glob.glob(f"{lua}/src/*.c")) - {f"{lua}/src/luac.c"}), "-lm"], lua,
            [script, "8"], [script, "40"], [script, "5"], [script, "5"], sample=[script, "250"]),
        "queryd": Program(
            "clang++-22",
            ["-std=c++20", f"-I{queryd}", *sorted(glob.glob(f"{queryd}/*/*.cc"))], queryd,
            *[f"shop {requests}".split() for requests in ("40000 1", "150000 11", "10000 11", "10000 11")],
            sample="shop 800000 1".split()),
        "leveldb": Program(
            "clang++-22",
            ["-std=c++17", "-DNDEBUG", "-DLEVELDB_PLATFORM_POSIX=1", f"-I{leveldb}", f"-I{leveldb}/include",
             *leveldb_sources(leveldb), str(HERE / "mixed_leveldb.cc")], leveldb,
            *[entries.split() for entries in ("60000 1", "25000 11", "15000 11", "15000 11")],
            sample="60000 1".split()),
        "reckon": Program(
            "clang-22", [f"-I{reckon}/src", *sorted(glob.glob(f"{reckon}/src/*.c"))], reckon,
            *[[queens, f"size={size}"] for size in (10, 12, 9, 9)]),
        "zstd": Program(
            "clang-22",
            # One path for all processors, the emulated one too.
            ["-DDYNAMIC_BMI2=0", "-DZSTD_DISABLE_ASM", "-DXXH_NAMESPACE=ZSTD_", f"-I{zstd}/lib",
             *sorted(glob.glob(f"{zstd}/lib/common/*.c") + glob.glob(f"{zstd}/lib/compress/*.c")
                     + glob.glob(f"{zstd}/lib/decompress/*.c")), str(HERE / "mixed_zstd.c")], zstd / "lib",
            *[rounds.split() for rounds in ("120 1", "250 11", "20 11", "20 11")],
            sample="1000 1".split()),
    }
