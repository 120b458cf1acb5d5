#!/usr/bin/env python3
"""A token server for a registry with `auth: token`: token_server.py PORT USER PASSWORD KEY CERTIFICATE LOG

Written after https://distribution.github.io/distribution/spec/auth/token and /spec/auth/oauth: GET with user and
password, or without them for reading only; POST with a refresh token, which is "refresh-" and the password. Tokens are
JWTs signed with RS256, by openssl, and end after a minute. LOG gets a line for each request: how it asked, and for what.
"""
import base64
import http.server
import json
import subprocess
import sys
import time
import urllib.parse

port, user, password, key, certificate, log = sys.argv[1:]
basic = "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=")


def signed(claims):
    pem = open(certificate).read().split("-----")[2]
    header = {"typ": "JWT", "alg": "RS256", "x5c": ["".join(pem.split())]}
    text = b".".join(encoded(json.dumps(part).encode()) for part in (header, claims))
    signature = subprocess.run(["openssl", "dgst", "-sha256", "-sign", key], input=text, capture_output=True, check=True)
    return (text + b"." + encoded(signature.stdout)).decode()


def access(scopes, may_write):
    """[{"type": "repository", "name": ..., "actions": [...]}] of "repository:team/server:pull,push"."""
    granted = []
    for scope in filter(None, scopes):
        kind, name, actions = scope.split(":")
        granted.append({"type": kind, "name": name,
                        "actions": [one for one in actions.split(",") if may_write or one == "pull"]})
    return granted


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(self.path).query)
        authorization = self.headers.get("Authorization", "")
        self.note("GET", "anonymous" if not authorization else "basic", query)
        if authorization not in ("", basic):
            return self.answer(401, {"errors": [{"code": "UNAUTHORIZED", "message": "wrong user or password"}]})
        return self.grant("token", query, bool(authorization))

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        query = urllib.parse.parse_qs(body)
        self.note("POST", query.get("grant_type", [""])[0], query)
        if query.get("refresh_token") != ["refresh-" + password] or not query.get("client_id"):
            return self.answer(400, {"error": "invalid_grant"})
        return self.grant("access_token", query, True)

    def grant(self, name, query, may_write):
        now = int(time.time())
        scopes = " ".join(query.get("scope", [])).split(" ")
        claims = {"iss": "tokens.test", "sub": user, "aud": query.get("service", [""])[0], "jti": str(now),
                  "iat": now, "nbf": now - 30, "exp": now + 60, "access": access(scopes, may_write)}
        self.answer(200, {name: signed(claims), "expires_in": 60})

    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def note(self, method, how, query):
        with open(log, "a") as file:
            file.write(" ".join([method, how, *query.get("service", []), *query.get("scope", [])]) + "\n")

    def log_message(self, *_):
        pass


http.server.ThreadingHTTPServer(("127.0.0.1", int(port)), Handler).serve_forever()
