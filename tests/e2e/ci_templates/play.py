#!/usr/bin/env python3
"""Runs what a template of ci-templates would run, as it stands in the template: `play.py github|gitlab FILE JOB`.

Only what a forge fills in is filled in, from the tables below and from these variables, which the test sets:

  ORIGIN            the URL of the repository, without a login
  REF               the branch or tag that the job is for
  EVENT             why it runs, as github.event_name says; for GitLab only `pull_request` matters
  FORGE             the directory of forge.py, for `gh`
  SETTINGS          lines NAME=VALUE: instead of what the template's `env` or `variables` have for NAME
  BIN               directories of the programs that the job's image has, as in PATH
  CMAKE_PREFIX_PATH where the job's image has the CMake package
  REGISTRY_LOGIN    the secret DOCKER_AUTH_CONFIG_READ, instead of one without logins
  NEEDS             outputs of earlier jobs; those of this one are appended there. github: lines JOB.outputs.NAME=VALUE;
                    gitlab: lines NAME=VALUE, of dotenv reports

A job works in the new directory `job/checkout`, with a home of its own, and with no other variable of the test. Exit
code: 0 when all steps succeed, or else that of the first that failed. A job whose condition is false exits with 99.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import urllib.parse

import yaml

TOKEN = "forge-token-5"  # of forge.py
NO_LOGINS = json.dumps({"auths": {}})
REGISTRY_LOGIN = os.environ.get("REGISTRY_LOGIN", NO_LOGINS)

# Expressions of workflows, but for outputs of steps and jobs.
GITHUB_VALUES = {
    "github.token": TOKEN,
    "github.event_name": os.environ.get("EVENT", "push"),
    "secrets.PRODPGO_GITHUB_TOKEN": "",
    "secrets.DOCKER_AUTH_CONFIG": NO_LOGINS,
    "secrets.DOCKER_AUTH_CONFIG_READ": REGISTRY_LOGIN,
    "secrets.AWS_ACCESS_KEY_ID": "key",
    "secrets.AWS_SECRET_ACCESS_KEY": "secret",
}
# Variables that a runner sets.
GITHUB_VARIABLES = {
    "GITHUB_REPOSITORY": "team/server",
    "GITHUB_REPOSITORY_OWNER": "team",
    "GITHUB_REF_NAME": os.environ["REF"],
    "GITHUB_BASE_REF": "main",
}
GITLAB_VARIABLES = {
    "CI_API_V4_URL": os.environ["ORIGIN"].partition("/team/")[0] + "/api/v4",
    "CI_COMMIT_TAG": os.environ["REF"],
    "CI_DEFAULT_BRANCH": "main",
    "CI_PROJECT_ID": "7",
    "CI_PROJECT_URL": os.environ["ORIGIN"].removesuffix(".git"),
    "DOCKER_AUTH_CONFIG": NO_LOGINS,
    "DOCKER_AUTH_CONFIG_READ": REGISTRY_LOGIN,
    "PRODPGO_GITLAB_TOKEN": TOKEN,
}
if os.environ.get("EVENT") == "pull_request":
    GITLAB_VARIABLES["CI_MERGE_REQUEST_TARGET_BRANCH_NAME"] = "main"

SKIPPED = 99
SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin"


def lines_of(text):
    return dict(line.split("=", 1) for line in text.splitlines() if line)


NEEDS = pathlib.Path(os.environ.get("NEEDS", "needs"))


def outputs_of_earlier_jobs():
    return lines_of(NEEDS.read_text()) if NEEDS.exists() else {}


SETTINGS = lines_of(os.environ.get("SETTINGS", ""))


class Job:
    """The directory and the variables of a job."""

    def __init__(self):
        self.directory = pathlib.Path("job").resolve()
        shutil.rmtree(self.directory, ignore_errors=True)
        self.checkout = self.directory / "checkout"
        (self.directory / "home").mkdir(parents=True)
        self.variables = {"PATH": f"{os.environ['BIN']}:{SYSTEM_PATH}", "LC_ALL": "C",
                          "HOME": str(self.directory / "home"), "FORGE": os.environ["FORGE"],
                          "CMAKE_PREFIX_PATH": os.environ.get("CMAKE_PREFIX_PATH", ""),
                          "PRODPGO_CACHE": os.environ.get("PRODPGO_CACHE", str(self.directory / "cache"))}

    def run(self, command, variables=None):
        return subprocess.run(command, cwd=self.checkout, env={**self.variables, **(variables or {})},
                              stdin=subprocess.DEVNULL).returncode

    def run_script(self, command, variables=None):
        """In a container: for git, the checkout belongs to another user."""
        return self.run(command, {"GIT_TEST_ASSUME_DIFFERENT_OWNER": "1", **(variables or {})})

    def fetch(self, login):
        """As runners do: one commit, of a branch or a tag."""
        self.checkout.mkdir()
        origin = urllib.parse.urlsplit(os.environ["ORIGIN"])
        ref = os.environ["REF"]
        local = f"refs/tags/{ref}" if ref.startswith("v") else f"refs/remotes/origin/{ref}"
        remote = f"refs/tags/{ref}" if ref.startswith("v") else f"refs/heads/{ref}"
        branch = [] if ref.startswith("v") else ["-B", ref]
        for command in (["init", "--quiet", "--initial-branch=main"],
                        ["remote", "add", "origin", origin._replace(netloc=f"{login}@{origin.netloc}").geturl()],
                        ["fetch", "--quiet", "--no-tags", "--depth=1", "origin", f"+{remote}:{local}"],
                        ["checkout", "--quiet", "--force", *branch, local]):
            if self.run(["git", *command], {"PATH": SYSTEM_PATH}) != 0:
                sys.exit(f"git {command[0]} failed")


def fill(text, values):
    """A text with ${{ }}. An expression that is not in the table is an error."""
    def value(match):
        found = [values[word.strip()] for word in match[1].split("||")]
        return next((text for text in found if text), "")
    return re.sub(r"\$\{\{(.*?)\}\}", value, str(text))


def is_true(condition, values, succeeded):
    """Terms `!cancelled()` and `NAME == 'TEXT'`, joined by &&. Without the former, all before must have succeeded."""
    terms = [term.strip() for term in condition.removeprefix("${{").removesuffix("}}").split("&&")]
    holds = succeeded or "!cancelled()" in terms
    for term in terms:
        if term and term != "!cancelled()":
            name, text = re.fullmatch(r"(\S+) == '(.*)'", term).groups()
            holds = holds and values.get(name, "") == text
    return holds


def play_github(template, name):
    workflow = yaml.safe_load(template.read_text())
    description = workflow["jobs"][name]
    values = dict(GITHUB_VALUES)
    values |= {"needs." + key: value for key, value in outputs_of_earlier_jobs().items()}
    if not is_true(description.get("if", ""), values, True):
        return SKIPPED
    job = Job()
    job.variables |= GITHUB_VARIABLES
    files = {variable: job.directory / variable.lower() for variable in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    shell = {"bash": ["bash", "--noprofile", "--norc", "-eo", "pipefail"]}[description["defaults"]["run"]["shell"]]

    def variables_of(level):
        return {key: fill(value, values) for key, value in level.get("env", {}).items()}

    job.variables |= {**variables_of(workflow), **variables_of(description), **SETTINGS}
    result = 0
    for step in description["steps"]:
        if not is_true(step.get("if", ""), values, result == 0):
            continue
        if "uses" in step:
            action = step["uses"].partition("@")[0]
            if action == "actions/checkout":
                token = fill(step.get("with", {}).get("token", "${{ github.token }}"), values)
                writes = description.get("permissions", workflow["permissions"]).get("contents") == "write"
                job.fetch(f"x:{token}")
                if not writes:
                    job.run(["git", "remote", "set-url", "--push", "origin", "no-permission"])
            elif action != "actions/upload-artifact":
                sys.exit(f"{template}: uses {action}, which is not known here")
            continue
        for file in files.values():
            file.touch()
        script = job.directory / "step.sh"
        script.write_text(fill(step["run"], values))
        code = job.run_script([*shell, str(script)], {**variables_of(step), **SETTINGS,
                                               **{key: str(path) for key, path in files.items()}})
        for key, value in lines_of(files["GITHUB_OUTPUT"].read_text()).items():
            values[f"steps.{step.get('id')}.outputs.{key}"] = value
        if code != 0:
            print(f"play.py: step {step['name']!r} exits with {code}", file=sys.stderr)
            result = result or code
    with NEEDS.open("a") as file:
        for key, value in description.get("outputs", {}).items():
            try:
                file.write(f"{name}.outputs.{key}={fill(value, values)}\n")
            except KeyError:  # the step was skipped
                pass
    return result


def extended(jobs, name):
    """A job with what it `extends`: maps are merged, and all else is replaced."""
    def merged(below, above):
        if not isinstance(below, dict) or not isinstance(above, dict):
            return above
        return {**below, **{key: merged(below[key], value) if key in below else value for key, value in above.items()}}
    job = jobs[name]
    return merged(extended(jobs, job["extends"]), job) if "extends" in job else job


def play_gitlab(template, name):
    description = extended(yaml.safe_load(template.read_text()), name)
    job = Job()
    job.variables |= {**description.get("variables", {}), **GITLAB_VARIABLES, **SETTINGS, **outputs_of_earlier_jobs()}
    job.fetch(f"gitlab-ci-token:{TOKEN}")
    job.run(["git", "checkout", "--quiet", "--detach"])
    job.run(["git", "remote", "set-url", "--push", "origin", "no-permission"])
    # What earlier jobs left for this one.
    for artifact in os.environ.get("ARTIFACTS", "").split():
        shutil.copy(artifact, job.checkout)
    script = job.directory / "script.sh"
    script.write_text("\n".join(["set -eo pipefail", *description.get("before_script", []), *description["script"]]))
    code = job.run_script(["bash", str(script)])
    if dotenv := description.get("artifacts", {}).get("reports", {}).get("dotenv"):
        with NEEDS.open("a") as file:
            file.write((job.checkout / dotenv).read_text())
    if code != 0:
        print(f"play.py: job {name!r} exits with {code}", file=sys.stderr)
    return code


if __name__ == "__main__":
    play = {"github": play_github, "gitlab": play_gitlab}[sys.argv[1]]
    sys.exit(play(pathlib.Path(sys.argv[2]), sys.argv[3]))
