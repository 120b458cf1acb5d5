#!/usr/bin/env python3
"""Runs what a template for Kubernetes or systemd would run, as it stands in the template, and with as few rights:

  sandbox.py kubernetes FILE    the container of the Job or CronJob
  sandbox.py systemd FILE       the commands of the service

The process sees a root of its own, which is read-only but for the volumes or directories that the template names; it has
the user of the template, no capability, and no other variable. Needs root. From the test:

  SETTINGS    lines NAME=VALUE: instead of the value that the template has for NAME. Variables of the runtime
              (JOB_COMPLETION_INDEX) are given here, too
  SECRETS     a directory: NAME/KEY are the Secrets of the cluster, and /etc/prodpgo of the host
  VOLUMES     a directory: NAME are the claims of volumes, and the directories of the service; kept between runs
  IMAGE       lines PATH=FILE: what the image or host has besides the system: programs and templates
  OUTSIDE     paths that stand for servers: they can be written, at the same place

Exit code: that of the container, or of the first command that failed.
"""
import os
import pathlib
import re
import shlex
import subprocess
import sys

import yaml

SYSTEM = ["/usr/bin", "/usr/lib", "/usr/lib64", "/usr/sbin", "/usr/share/git-core", "/etc/ssl", "/etc/ld.so.cache",
          "/dev/null", "/dev/urandom"]
USER = 65532


def lines_of(name):
    return dict(line.split("=", 1) for line in os.environ.get(name, "").splitlines() if line)


SETTINGS = lines_of("SETTINGS")
SECRETS = pathlib.Path(os.environ["SECRETS"])
VOLUMES = pathlib.Path(os.environ["VOLUMES"])


def directory(name, user):
    path = VOLUMES / name
    path.mkdir(parents=True, exist_ok=True)
    subprocess.run(["chown", "-R", f"{user}:{user}", path], check=True)
    return path


def run(command, user, variables, working, mounts, proc):
    """`mounts`: (what, where, "ro" or "rw"), outer ones first."""
    root = pathlib.Path("sandbox_root").resolve()
    root.mkdir(exist_ok=True)
    script = ["set -e", f"mount -t tmpfs none {root}", f"cd {root}", "mkdir -p usr proc etc dev"]
    script += [f"ln -s usr/{name} {name}" for name in ("bin", "lib", "lib64", "sbin")]
    script.append(f"mount -t proc -o {proc} proc proc")
    system = [(path, path, "ro") for path in SYSTEM if os.path.exists(path)]
    image = [(file, path, "ro") for path, file in lines_of("IMAGE").items()]
    outside = [(path, path, "rw") for path in os.environ.get("OUTSIDE", "").split()]
    for what, where, mode in system + mounts + image + outside:  # the last two may be below /tmp, which is a volume
        what, inside = shlex.quote(str(what)), shlex.quote("." + str(where))
        make = f"mkdir -p {inside}" if os.path.isdir(shlex.split(what)[0]) else \
            f"mkdir -p $(dirname {inside}); [ -e {inside} ] || touch {inside}"
        script += [make, f"mount --bind {what} {inside}"]
        if mode == "ro":
            script.append(f"mount -o remount,bind,ro {inside}")
    script.append("mount -o remount,ro .")
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", **variables}
    words = ["chroot", ".", "env", "-i", f"--chdir={working}",
             *(f"{key}={value}" for key, value in environment.items()), "setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", "--no-new-privs", "--inh-caps=-all",
             "--bounding-set=-all", "--", *command]
    script.append("exec " + shlex.join(words))
    return subprocess.run(["unshare", "--mount", "--pid", "--fork", "bash", "-c", "\n".join(script)],
                          stdin=subprocess.DEVNULL).returncode


def run_kubernetes(template):
    [document] = yaml.safe_load_all(template.read_text())
    job = document["spec"]["jobTemplate"]["spec"] if document["kind"] == "CronJob" else document["spec"]
    pod = job["template"]["spec"]
    [container] = pod["containers"]
    user = pod["securityContext"]["runAsUser"]
    variables = {}
    for source in container.get("envFrom", []):
        for file in (SECRETS / source["secretRef"]["name"]).iterdir():
            variables[file.name] = file.read_text()
    variables |= {entry["name"]: entry["value"] for entry in container.get("env", [])}
    variables |= SETTINGS
    volumes = {volume["name"]: volume for volume in pod["volumes"]}
    mounts = []
    for mount in container["volumeMounts"]:
        volume = volumes[mount["name"]]
        mode = "ro" if mount.get("readOnly") else "rw"
        if "secret" in volume:
            path = SECRETS / volume["secret"]["secretName"]
            if "items" in volume["secret"]:
                [item] = volume["secret"]["items"]
                path = path / item["key"]
                mount = {**mount, "mountPath": mount["mountPath"] + "/" + item["path"]}
            path = path / mount.get("subPath", "")
        elif "emptyDir" in volume:
            path = directory("empty-" + volume["name"], user)
        else:
            path = directory(volume["persistentVolumeClaim"]["claimName"], user)
        mounts.append((path, mount["mountPath"], mode))
    command = [re.sub(r"\$\((\w+)\)", lambda match: variables[match[1]], word) for word in container["command"]]
    return run(command, user, variables, container.get("workingDir", "/"), mounts, "rw")


def run_systemd(template):
    settings = [line.split("=", 1) for line in template.read_text().splitlines() if "=" in line and line[0] not in "#["]
    one = dict(settings)
    assert one["DynamicUser"] == "yes" and one["ProtectSystem"] == "strict" and one["CapabilityBoundingSet"] == ""
    state, cache, credentials = "/var/lib/" + one["StateDirectory"], "/var/cache/" + one["CacheDirectory"], "/run/credentials"
    name, credential = one["LoadCredential"].split(":")
    mounts = [(directory("state", USER), state, "rw"), (directory("cache", USER), cache, "rw"),
              (directory("tmp", USER), "/tmp", "rw"),
              (SECRETS / pathlib.Path(credential).relative_to("/etc/prodpgo"), f"{credentials}/{name}", "ro")]

    def specifiers(text):
        return text.replace("%S", "/var/lib").replace("%C", "/var/cache")

    variables = {"STATE_DIRECTORY": state, "CACHE_DIRECTORY": cache, "CREDENTIALS_DIRECTORY": credentials}
    variables |= dict(word.split("=", 1) for word in specifiers(one["Environment"]).split())
    file = SECRETS / pathlib.Path(one["EnvironmentFile"]).relative_to("/etc/prodpgo")
    variables |= dict(line.split("=", 1) for line in file.read_text().splitlines())
    variables |= SETTINGS
    proc = "subset=pid" if one["ProcSubset"] == "pid" else "rw"
    for key in ("ExecStartPre", "ExecStart"):
        words = [re.sub(r"\$\{(\w+)\}", lambda match: variables[match[1]], word) for word in one[key].split()]
        code = run(words, USER, variables, specifiers(one["WorkingDirectory"]), mounts, proc)
        if code != 0:
            return code
    return 0


if __name__ == "__main__":
    sys.exit({"kubernetes": run_kubernetes, "systemd": run_systemd}[sys.argv[1]](pathlib.Path(sys.argv[2])))
