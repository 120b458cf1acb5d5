#!/usr/bin/env python3
"""Times `pgo fetch` of 1 000 profiles from a store of S3 beside `rclone copy --transfers 16` of the same, in turn.

Usage: fetch_objects.py PGO DIRECTORY [--server s3s_fs|minio] [--rounds 5] [--sizes 12K,1M] [--objects 1000]
                        [--command 'COMMAND']

The server runs on loopback; tests/servers/install.sh installs it. Inputs are made once in DIRECTORY. rclone copies
bytes; pgo also looks into each profile. Each round starts with an empty cache. The figures are medians, with the
smallest and largest in brackets; the ratio is the median of one ratio per round. Memory is the largest resident set.
What a round wrote is emptied, and removed when all are done: for five minutes, ext4 looks at each file that was removed
from a directory before it makes another there, which took longer than all that pgo does.
--command measures another program than `PGO fetch`, such as 's3_objects get {source} {out}', which only fetches.
"""

import argparse
import os
import pathlib
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import time
import urllib.error
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
DIFFERENT = 20  # profiles; the others are copies that differ in a header
# Without the last two, rclone asks for the metadata of each object (to s3s-fs in vain, for 90 seconds).
RCLONE = ["--transfers", "16", "--use-server-modtime", "--s3-no-head-object"]
# Without what the user has set for stores of his own.
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
KEYS = {"AWS_ACCESS_KEY_ID": "AKTEST", "AWS_SECRET_ACCESS_KEY": "secrettest"}


def make_profiles(directory, objects, size):
    """`objects` profiles of about `size` bytes each below `directory`, once."""
    if (directory / "made").exists():
        return
    shutil.rmtree(directory, ignore_errors=True)
    samples = 40
    many = ["--many-stacks"] if size > 100_000 else []
    while True:  # until one has the size
        subprocess.run([sys.executable, HERE / "make_pprofs.py", directory / "try", "1", str(samples), *many],
                       check=True, stdout=subprocess.DEVNULL)
        made = next((directory / "try").iterdir()).stat().st_size
        if abs(made - size) < size / 10:
            break
        samples = max(1, samples * size // made)
    shutil.rmtree(directory / "try")
    subprocess.run([sys.executable, HERE / "make_pprofs.py", directory / "different", str(DIFFERENT), str(samples), *many],
                   check=True, stdout=subprocess.DEVNULL)
    different = [path.read_bytes() for path in sorted((directory / "different").iterdir())]
    keys = directory / "store" / "profiles" / "queryd"  # below the store, the bucket
    keys.mkdir(parents=True)
    for i in range(objects):
        profile = different[i % len(different)]
        # The time in the header of gzip, whose bytes are 4 to 7.
        (keys / f"{i:05}.pb.gz").write_bytes(profile[:4] + i.to_bytes(4, "little") + profile[8:])
    (directory / "made").touch()


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def start_server(server, directory):
    """(process, URL) of a server; s3s-fs serves what make_profiles() made."""
    program = subprocess.run([HERE.parent / "servers" / "install.sh", server], check=True, text=True,
                             stdout=subprocess.PIPE).stdout.strip()
    port, console = free_port(), free_port()
    url = f"http://127.0.0.1:{port}"
    environment = ENVIRONMENT | KEYS
    if server == "s3s_fs":  # it serves files as they are
        command = [program, str(port), KEYS["AWS_ACCESS_KEY_ID"], KEYS["AWS_SECRET_ACCESS_KEY"],
                   directory / "store"]
    else:
        shutil.rmtree(directory / "minio", ignore_errors=True)
        environment |= {"MINIO_ROOT_USER": KEYS["AWS_ACCESS_KEY_ID"], "MINIO_UPDATE": "off",
                        "MINIO_ROOT_PASSWORD": KEYS["AWS_SECRET_ACCESS_KEY"]}
        command = [program, "server", "--address", f"127.0.0.1:{port}", "--console-address", f"127.0.0.1:{console}",
                   directory / "minio"]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(200):
        try:
            urllib.request.urlopen(url, timeout=2)
            break
        except urllib.error.HTTPError:
            break
        except OSError:
            time.sleep(.1)
    return process, url


def run(command, environment):
    """(seconds, CPU seconds, peak memory in MB) of a command."""
    start = time.monotonic()
    child = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    said = child.stderr.read()
    child.stderr.close()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit status {child.returncode}\n{said}")
    return time.monotonic() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def empty_files(directory):
    """Frees the space of the files below `directory`, which stay."""
    for path in directory.rglob("*"):
        if path.is_file():
            path.chmod(0o600)
            os.truncate(path, 0)


def measure(arguments, size_name, size):
    directory = arguments.directory.resolve() / size_name
    make_profiles(directory, arguments.objects, size)
    rounds = directory / "rounds"
    shutil.rmtree(rounds, ignore_errors=True)  # of a run that was stopped
    server, url = start_server(arguments.server, directory)
    try:
        rclone = ENVIRONMENT | {
            "RCLONE_CONFIG": os.devnull, "RCLONE_CONFIG_S_TYPE": "s3", "RCLONE_CONFIG_S_PROVIDER": "Other",
            "RCLONE_CONFIG_S_ENDPOINT": url, "RCLONE_CONFIG_S_REGION": "us-east-1",
            "RCLONE_CONFIG_S_ACCESS_KEY_ID": KEYS["AWS_ACCESS_KEY_ID"],
            "RCLONE_CONFIG_S_SECRET_ACCESS_KEY": KEYS["AWS_SECRET_ACCESS_KEY"]}
        pgo = ENVIRONMENT | KEYS | {"AWS_ENDPOINT_URL": url}
        if arguments.server == "minio":
            run(["rclone", "copy", directory / "store" / "profiles", "s:profiles", "--transfers", "16"], rclone)
        results = {"rclone": [], "pgo": []}
        for number in range(-1, arguments.rounds):  # the first round warms up
            for name in sorted(results, reverse=number % 2 == 0):
                written = rounds / f"{number} {name}"
                written.mkdir(parents=True)
                out = written / "out"
                if name == "rclone":
                    result = run(["rclone", "copy", *RCLONE, "s:profiles/queryd", out], rclone)
                else:
                    result = run([word.format(source="s3://profiles/queryd", out=out) for word in arguments.command],
                                 pgo | {"PRODPGO_CACHE": str(written / "cache")})
                found = sum(1 for path in out.rglob("*.pb.gz"))
                if found != arguments.objects:
                    sys.exit(f"{name} fetched {found} of {arguments.objects} objects")
                empty_files(written)
                if number >= 0:
                    results[name].append(result)
        return results
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait()
        shutil.rmtree(rounds, ignore_errors=True)


def spread(values, digits):
    return f"{statistics.median(values):.{digits}f} ({min(values):.{digits}f} to {max(values):.{digits}f})"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("pgo", type=pathlib.Path)
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("--server", default="s3s_fs", choices=["s3s_fs", "minio"])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--objects", type=int, default=1000)
    parser.add_argument("--sizes", default="12K,1M")
    parser.add_argument("--command")
    arguments = parser.parse_args()
    arguments.command = (arguments.command.split() if arguments.command else
                         [str(arguments.pgo.resolve()), "fetch", "{source}", "-o", "{out}"])
    print(f"{arguments.objects} objects from {arguments.server}; seconds, CPU seconds, MB")
    for name in arguments.sizes.split(","):
        size = int(name[:-1]) * {"K": 1000, "M": 1_000_000}[name[-1]]
        results = measure(arguments, name, size)
        for program, rounds in results.items():
            seconds, cpu, memory = zip(*rounds)
            print(f"{name:>4} {program:7} {spread(seconds, 2):24} {spread(cpu, 2):24} {max(memory):6.0f}")
        for what, column in (("time", 0), ("CPU time", 1)):
            ratios = [mine[column] / other[column] for mine, other in zip(results["pgo"], results["rclone"])]
            print(f"{name:>4} pgo / rclone, {what}: {spread(ratios, 2)}")


if __name__ == "__main__":
    main()
