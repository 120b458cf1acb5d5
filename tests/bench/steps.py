"""Commands whose outputs are kept until anything changes that they were made of.

A step is a directory of its own with what its commands wrote, what they printed (`stdout`, `stderr`), and
`made_of`: the commands, the digests of the files they were told to read, and the tools with their versions
and digests. A step that is asked for again is used as it is when all of that is the same, else deleted and
made anew. A step made anew with the same output leaves those after it as they are.

Not seen: what a tool reads without being told, as the system's headers and libraries. After an upgrade of
those, remove the directory.
"""
import functools
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import threading

OUT = "{out}"  # in a command: the directory of its step
PART = ".part"  # ends the names of directories of steps that are not done
SOURCES = (".c", ".cc", ".h", ".inc")


def run(command, **options):
    """Runs it; a RuntimeError with the end of what it said when it fails."""
    words = [str(word) for word in command]
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(words)}: exit status {done.returncode}\n"
                           f"{done.stderr.decode(errors='replace')[-3000:]}")
    return done


@functools.cache
def digest_of_version(path, size, modified):
    del size, modified  # of the file that was read
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def digest(path):
    """Of a file, or of all sources under a directory."""
    if not os.path.isdir(path):
        status = os.stat(path)
        return digest_of_version(str(path), status.st_size, status.st_mtime_ns)
    found = sorted(file for file in pathlib.Path(path).rglob("*") if file.suffix in SOURCES)
    lines = [f"{file.relative_to(path)} {digest(file)}\n" for file in found]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


@functools.cache
def version(tool):
    """What tells one release or build of a program from another: what it says, and its digest."""
    path = shutil.which(tool)
    if path is None:
        raise RuntimeError(f"{tool} is not installed")
    said = subprocess.run([path, "--version"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return [said.stdout.decode(errors="replace").splitlines()[:2], digest(os.path.realpath(path))]


def changes(before, now):
    """Names of what differs between two made_of."""
    if before is None:
        return ["new"]
    found = ["command"] if before["commands"] != now["commands"] else []
    for kind in ("files", "tools"):
        found += [os.path.basename(name) for name in sorted({*before[kind], *now[kind]})
                  if before[kind].get(name) != now[kind].get(name)]
    return found


def remove(path):
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


class Steps:
    """The steps under a directory, of one process at a time. Threads may ask it: each step is made once."""

    def __init__(self, directory):
        self.directory = pathlib.Path(directory)
        self.directory.mkdir(parents=True, exist_ok=True)
        for left_over in self.directory.glob(f"*{PART}"):
            remove(left_over)
        self.reused, self.made = [], {}  # names; name: what had changed
        self._asked = {}  # name: [lock, made_of once it is there]
        self._lock = threading.Lock()

    def make(self, name, commands, tools, files):
        """The directory of step `name`. What the programs `tools` read: `files`, or trees of sources."""
        commands = [[str(word) for word in command] for command in commands]
        with self._lock:
            asked = self._asked.setdefault(name, [threading.Lock(), None])
        with asked[0]:
            made_of = {"commands": commands, "files": {str(file): digest(file) for file in files},
                       "tools": {str(tool): version(str(tool)) for tool in tools}}
            if asked[1] not in (None, made_of):
                raise ValueError(f"two steps are called {name}")
            if asked[1] is None:
                self._renew(name, made_of)
                asked[1] = made_of
        return self.directory / name

    def _renew(self, name, made_of):
        kept = self.directory / name
        try:
            before = json.loads((kept / "made_of").read_text())
        except (OSError, ValueError):
            before = None
        if before == made_of:
            self.reused.append(name)
            return
        remove(kept)
        # In a place of its own: a compiler that outlived a run before this one writes elsewhere.
        part = pathlib.Path(tempfile.mkdtemp(PART, f"{name}.", self.directory))
        with open(part / "stdout", "wb") as stdout, open(part / "stderr", "wb") as stderr:
            for command in made_of["commands"]:
                done = run([word.replace(OUT, str(part)) for word in command])
                stdout.write(done.stdout)
                stderr.write(done.stderr)
        (part / "made_of").write_text(json.dumps(made_of, indent=1))
        os.rename(part, kept)
        self.made[name] = changes(before, made_of)

    def summary(self):
        """What was used as it was, and for which reasons the others were made."""
        reasons = {}
        for name, why in sorted(self.made.items()):
            reasons.setdefault(", ".join(why), []).append(name)
        new = len(reasons.pop("new", []))
        lines = [f"{len(self.reused)} steps as they were, {new} new, {len(self.made) - new} stale"]
        return "\n".join(lines + [f"  {why}: {' '.join(names)}" for why, names in reasons.items()])
