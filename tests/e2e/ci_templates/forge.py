#!/usr/bin/env python3
"""A stand-in for a forge: git over HTTP, GitLab's merge requests, and `gh`. It records requests in DIRECTORY/requests.json.

  forge.py serve PORT DIRECTORY   serves, below /forge, DIRECTORY/team/server.git to whoever has the token as password,
                                  and /api/v4/projects/7/merge_requests to whoever has it in PRIVATE-TOKEN
  forge.py pushed BRANCH          what GitLab does after a push with options: in a hook; FORGE names the directory
  forge.py gh ARGUMENT...         what the templates call of GitHub's program; FORGE names the directory, GH_TOKEN the token

A request has number, branch, title, body, state (open, merged), and fork: whether its branch is in a fork.
"""
import base64
import http.server
import json
import os
import pathlib
import re
import subprocess
import sys
import urllib.parse

TOKEN = "forge-token-5"
PROJECT = "7"


class Requests:
    def __init__(self, directory):
        self.path = pathlib.Path(directory, "requests.json")
        self.origin = pathlib.Path(directory, "team/server.git")

    def all(self):
        return json.loads(self.path.read_text()) if self.path.exists() else []

    def write(self, requests):
        self.path.write_text(json.dumps(requests, indent=1))

    def open_number(self, branch):
        """Of the branch of this repository: a fork's branch may have the same name."""
        return [r["number"] for r in self.all() if r["branch"] == branch and r["state"] == "open" and not r["fork"]]

    def create(self, branch, title, body):
        known = subprocess.run(["git", "-C", self.origin, "rev-parse", "--verify", "--quiet", "refs/heads/" + branch],
                               stdout=subprocess.DEVNULL).returncode
        if known != 0:
            return "the branch does not exist"
        if self.open_number(branch):
            return "there is a request of this branch already"
        requests = self.all()
        requests.append({"number": len(requests) + 1, "branch": branch, "title": title, "body": body, "state": "open",
                         "fork": False})
        self.write(requests)
        return None

    def edit(self, number, body, title=None):
        requests = self.all()
        [request] = [r for r in requests if r["number"] == number]
        request["body"] = body
        request["title"] = title or request["title"]
        self.write(requests)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, status, body=b"", headers=()):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def body(self):
        if self.headers.get("Transfer-Encoding") == "chunked":
            parts = []
            while size := int(self.rfile.readline(), 16):
                parts.append(self.rfile.read(size))
                self.rfile.readline()
            self.rfile.readline()
            return b"".join(parts)
        return self.rfile.read(int(self.headers.get("Content-Length", 0)))

    def any_method(self):
        url = urllib.parse.urlsplit(self.path)
        url = url._replace(path=url.path.removeprefix("/forge") if url.path.startswith("/forge/") else "")
        body = self.body()
        if url.path.startswith("/api/v4/"):
            self.gitlab(url, body)
        elif url.path.startswith("/team/server.git/"):
            self.git(url, body)
        else:
            self.answer(404)

    do_GET = do_POST = do_PUT = any_method

    def gitlab(self, url, body):
        requests = self.server.requests
        path = re.fullmatch(rf"/api/v4/projects/{PROJECT}/merge_requests(?:/(\d+))?", url.path)
        if self.headers.get("PRIVATE-TOKEN") != TOKEN:
            return self.answer(401)
        if not path:
            return self.answer(404)
        form = dict(urllib.parse.parse_qsl(body.decode()))
        if self.command == "PUT" and path[1]:
            requests.edit(int(path[1]), form["description"], form.get("title"))
            return self.answer(200, b"{}")
        if self.command == "POST" and not path[1]:
            if form["target_branch"] != "main":
                return self.answer(400)
            fault = requests.create(form["source_branch"], form["title"], form["description"])
            return self.answer(409 if fault else 201, json.dumps({"message": fault}).encode())
        query = dict(urllib.parse.parse_qsl(url.query))
        found = [{"iid": r["number"], "target_project_id": int(PROJECT), "source_project_id": 8 if r["fork"] else int(PROJECT)}
                 for r in requests.all() if r["branch"] == query["source_branch"] and r["state"] == "open"]
        return self.answer(200, json.dumps(found).encode())

    def git(self, url, body):
        given = self.headers.get("Authorization", "").removeprefix("Basic ")
        if base64.b64decode(given).decode().partition(":")[2] != TOKEN:
            return self.answer(401, headers=[("WWW-Authenticate", "Basic realm=forge")])
        environment = {
            "PATH": os.environ["PATH"], "GIT_PROJECT_ROOT": str(self.server.directory), "GIT_HTTP_EXPORT_ALL": "1",
            "PATH_INFO": url.path, "QUERY_STRING": url.query, "REQUEST_METHOD": self.command, "REMOTE_USER": "ci",
            "CONTENT_TYPE": self.headers.get("Content-Type", ""), "CONTENT_LENGTH": str(len(body)),
            "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
            "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""), "HOME": str(self.server.directory)}
        out = subprocess.run(["git", "http-backend"], input=body, stdout=subprocess.PIPE, env=environment).stdout
        head, _, rest = out.partition(b"\r\n\r\n")
        headers = [tuple(line.split(": ", 1)) for line in head.decode().split("\r\n")]
        status = next((int(value.split()[0]) for name, value in headers if name == "Status"), 200)
        self.answer(status, rest, [header for header in headers if header[0] != "Status"])


def serve(port, directory):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", int(port)), Handler)
    server.directory, server.requests = pathlib.Path(directory).resolve(), Requests(directory)
    server.serve_forever()


def gh(arguments):
    if os.environ.get("GH_TOKEN") != TOKEN:
        return "gh: HTTP 401"
    requests = Requests(os.environ["FORGE"])
    text = "\0".join(arguments)
    if match := re.fullmatch(r"api\0repos/team/server/pulls\?state=open&head=team:([^\0]+)\0--jq\0\.\[\]\.number", text):
        print("\n".join(str(number) for number in requests.open_number(match[1])))
    elif match := re.fullmatch(
            r"api\0--method\0PATCH\0--silent\0repos/team/server/pulls/(\d+)(?:\0--raw-field\0title=([^\0]+))?"
            r"\0--field\0body=@([^\0]+)", text):
        requests.edit(int(match[1]), pathlib.Path(match[3]).read_text(), match[2])
    elif match := re.fullmatch(r"pr\0create\0--head\0([^\0]+)\0--title\0([^\0]+)\0--body-file\0([^\0]+)", text):
        return requests.create(match[1], match[2], pathlib.Path(match[3]).read_text())
    else:
        return f"gh: not known here: {arguments}"
    return None


def pushed(branch):
    """With merge_request.create, a request of one commit has its subject as title, and its body as description."""
    options = [os.environ[f"GIT_PUSH_OPTION_{i}"] for i in range(int(os.environ.get("GIT_PUSH_OPTION_COUNT", 0)))]
    if "merge_request.create" not in options:
        return
    assert "merge_request.target=main" in options, options
    requests = Requests(os.environ["FORGE"])
    message = subprocess.run(["git", "-C", requests.origin, "log", "-1", "--format=%s%n%b", branch], check=True,
                             stdout=subprocess.PIPE, text=True).stdout
    title, _, body = message.partition("\n")
    if not requests.open_number(branch):
        requests.create(branch, title, body)


if __name__ == "__main__":
    if sys.argv[1] == "serve":
        serve(*sys.argv[2:])
    elif sys.argv[1] == "pushed":
        pushed(sys.argv[2])
    else:
        sys.exit(gh(sys.argv[2:]))
