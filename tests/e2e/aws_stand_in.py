#!/usr/bin/env python3
"""Plays services of AWS on a port of 127.0.0.1, for what servers for tests do not have: session tokens, keys that
expire, regions, clocks, and the services that hand out keys. Signatures are checked by botocore.

Usage: aws_stand_in.py PORT [--ahead SECONDS]       its clock differs from the machine's

S3: each bucket has the objects a.pb to j.pb; a bucket "elsewhere" is in eu-central-1, another in us-east-1.
Keys: EC2's metadata (IMDSv2), STS for the web identity "identity-token", GET /container for the token
"container-token". Each time, keys with another number are handed out: AKn, SKn, TKn. The fixed keys AK0, SK0, TK0
are right as well. POST /expire makes all of these expired.
Requests are logged to standard error: METHOD PATH STATUS ACCESS_KEY.
"""

import datetime
import email.utils
import http.server
import json
import re
import sys
import time
import urllib.parse

import botocore.auth
import botocore.awsrequest
import botocore.credentials

AHEAD = float(sys.argv[3]) if len(sys.argv) > 3 else 0
ROLE = "profile reader"
issued, first_valid = 0, 0


def now():
    return time.time() + AHEAD


def new_keys():
    global issued
    issued += 1
    expires = datetime.datetime.fromtimestamp(time.time() + 3600, datetime.timezone.utc)
    return {"AccessKeyId": f"AK{issued}", "SecretAccessKey": f"SK{issued}", "Token": f"TK{issued}/+==",
            "Expiration": expires.strftime("%Y-%m-%dT%H:%M:%SZ")}


def signature_of(request, secret, region, signed):
    """What botocore signs this request with."""
    auth = botocore.auth.S3SigV4Auth(botocore.credentials.Credentials("unused", secret), "s3", region)
    path, _, query = request.path.partition("?")
    aws = botocore.awsrequest.AWSRequest(
        method=request.command, url=f"http://{request.headers['host']}{path}",
        params=dict(urllib.parse.parse_qsl(query, keep_blank_values=True)),
        headers={name: request.headers[name] for name in signed})
    aws.context["timestamp"] = request.headers["x-amz-date"]
    aws.context["payload_signing_enabled"] = True
    text = auth.string_to_sign(aws, auth.canonical_request(aws))
    return auth.signature(text, aws)


class StandIn(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    access_key = "-"

    def date_time_string(self, timestamp=None):
        return email.utils.formatdate(now(), usegmt=True)

    def log_message(self, *_):
        pass

    def reply(self, status, body=b"", headers=()):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        sys.stderr.write(f"{self.command} {self.path} {status} {self.access_key}\n")  # at once: threads share it

    def refuse(self, status, code, headers=()):
        self.reply(status, f"<Error><Code>{code}</Code></Error>".encode(), headers)

    def do_PUT(self):
        if self.path == "/latest/api/token" and self.headers["x-aws-ec2-metadata-token-ttl-seconds"] == "21600":
            return self.reply(200, b"imds-token")
        return self.refuse(400, "BadRequest")

    def do_POST(self):
        global first_valid
        body = self.rfile.read(int(self.headers["content-length"] or 0)).decode()
        if self.path == "/expire":
            first_valid = issued + 1
            return self.reply(200)
        form = dict(urllib.parse.parse_qsl(body))
        if form != {"Action": "AssumeRoleWithWebIdentity", "Version": "2011-06-15", "RoleSessionName": "pgo",
                    "RoleArn": "arn:aws:iam::1:role/reader", "WebIdentityToken": "identity-token"}:
            return self.refuse(400, "InvalidIdentityToken")
        keys = new_keys()
        keys["SessionToken"] = keys.pop("Token")
        fields = "".join(f"<{name}>{value}</{name}>" for name, value in keys.items())
        name = "AssumeRoleWithWebIdentity"
        return self.reply(200, f"<{name}Response><{name}Result><Credentials>{fields}</Credentials></{name}Result>"
                               f"</{name}Response>".encode())

    def do_GET(self):
        if self.path == "/ready":
            return self.reply(200)
        if self.path.startswith("/latest/"):
            return self.metadata()
        if self.path == "/container":
            if self.headers["authorization"] != "container-token":
                return self.refuse(401, "Unauthorized")
            return self.reply(200, json.dumps(new_keys()).encode())
        return self.store()

    def metadata(self):
        roles = "/latest/meta-data/iam/security-credentials/"
        if self.headers["x-aws-ec2-metadata-token"] != "imds-token":
            return self.refuse(401, "Unauthorized")
        if self.path == roles:
            return self.reply(200, ROLE.encode())
        if self.path == roles + urllib.parse.quote(ROLE):
            return self.reply(200, json.dumps(new_keys()).encode())
        return self.reply(404)

    def store(self):
        authorization = re.fullmatch(
            r"AWS4-HMAC-SHA256 Credential=AK(\d+)/(\d{8})/([\w-]+)/s3/aws4_request, SignedHeaders=([\w;-]+), "
            r"Signature=([0-9a-f]{64})", self.headers["authorization"] or "")
        if not authorization:
            return self.refuse(403, "AccessDenied")
        number, _, region, signed, signature = authorization.groups()
        self.access_key = "AK" + number
        sent = datetime.datetime.strptime(self.headers["x-amz-date"] + "+0000", "%Y%m%dT%H%M%SZ%z")
        if abs(sent.timestamp() - now()) > 900:
            return self.refuse(403, "RequestTimeTooSkewed")
        bucket, _, key = self.path.partition("?")[0].lstrip("/").partition("/")
        home = "eu-central-1" if bucket == "elsewhere" else "us-east-1"
        if region != home:
            return self.refuse(301, "PermanentRedirect", [("x-amz-bucket-region", home)])
        if signature_of(self, "SK" + number, region, signed.split(";")) != signature:
            return self.refuse(403, "SignatureDoesNotMatch")
        if int(number) > issued or self.headers["x-amz-security-token"] != f"TK{number}/+==":
            return self.refuse(400, "InvalidToken")
        if int(number) < first_valid:
            return self.refuse(400, "ExpiredToken")
        if key:
            return self.reply(200, f"contents of {key}".encode())
        contents = "".join(f"<Contents><Key>{name}.pb</Key><Size>16</Size></Contents>" for name in "abcdefghij")
        return self.reply(200, f"<ListBucketResult>{contents}</ListBucketResult>".encode())


http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), StandIn).serve_forever()
