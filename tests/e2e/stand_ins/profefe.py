#!/usr/bin/env python3
"""Plays profefe: profefe.py PORT LOG [--load FILE]

Written from profefe's documents and from what a server answered, not from pgo. LOG gets one line of JSON for each
request. Keeps profiles as they were pushed; `created_at` is their own time, if they have one. Labels are sorted, and
absent when there are none. What is not found is 404. --load as of the other stand-ins: [{"labels": {}, "time": SECONDS,
"pprof": PATH}], where the label service_name is the service. --labels-as-objects: as some versions answer.
"""

import argparse
import datetime
import http.server
import json
import urllib.parse

from messages import Profile

TYPES = ("cpu", "heap", "block", "mutex", "goroutine", "threadcreate", "trace", "other")


class Refusal(Exception):
    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


def parse_labels(text):
    return dict(part.split("=", 1) for part in text.split(",")) if text else {}


def moment(text, name):
    if not text:
        raise Refusal(400, f'bad request: missing "{name}"')
    try:
        return datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%S").replace(tzinfo=datetime.timezone.utc).timestamp()
    except ValueError:
        raise Refusal(400, f'bad request: bad "{name}"')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("port", type=int)
    parser.add_argument("log")
    parser.add_argument("--load")
    parser.add_argument("--labels-as-objects", action="store_true")
    options = parser.parse_args()
    profiles = []  # id, service, type, labels, time, data

    def ingest(service, type_, labels, data):
        try:
            profile = Profile.parse(data)
        except (ValueError, IndexError, KeyError, EOFError):
            raise Refusal(400, "malformed profile (could not parse pprof profile: parsing profile: unrecognized profile format)")
        if not service or type_ not in TYPES:
            raise Refusal(400, "bad request: bad service or type")
        one = {"id": f"dc0koh38di1f2e57g{len(profiles):03}", "service": service, "type": type_, "labels": labels,
               "time": profile.time / 1e9, "data": data}
        profiles.append(one)
        return one

    def shown(one):
        text = datetime.datetime.fromtimestamp(one["time"], datetime.timezone.utc).isoformat()[:-6] + "Z"
        meta = {"id": one["id"], "type": one["type"], "service": one["service"], "created_at": text}
        if one["labels"]:
            its = dict(sorted(one["labels"].items()))
            meta["labels"] = its if options.labels_as_objects else ",".join(f"{k}={v}" for k, v in its.items())
        return meta

    for one in json.load(open(options.load)) if options.load else []:
        data = Profile.parse(open(one["pprof"], "rb").read())
        data.time = int(one["time"] * 1e9)
        labels = {k: v for k, v in one["labels"].items() if k not in ("__name__", "service_name")}
        ingest(one["labels"]["service_name"], "cpu", labels, data.write())

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_):
            pass

        def send(self, status, body, kind="application/json"):
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def reply(self, body):
            self.send(200, json.dumps({"code": 200, "body": body}).encode())

        def answer(self, data):
            path, _, query = self.path.partition("?")
            asked = {key: values[0] for key, values in urllib.parse.parse_qs(query).items()}
            if path == "/api/0/version":
                return self.reply({"version": "", "go_version": "none"})
            if path == "/api/0/services":
                return self.reply(sorted({one["service"] for one in profiles}))
            if path == "/api/0/profiles" and data is not None:
                return self.reply(shown(ingest(asked.get("service"), asked.get("type"), parse_labels(asked.get("labels")), data)))
            if path == "/api/0/profiles":
                begin, end = moment(asked.get("from"), "from"), moment(asked.get("to"), "to")
                found = [one for one in sorted(profiles, key=lambda one: one["time"])
                         if one["service"] == asked.get("service") and one["type"] == asked.get("type") and
                         begin <= one["time"] <= end and parse_labels(asked.get("labels")).items() <= one["labels"].items()]
                if found:
                    return self.reply([shown(one) for one in found])
            found = [one for one in profiles if path == "/api/0/profiles/" + one["id"]]
            if found:
                return self.send(200, found[0]["data"], "application/octet-stream")
            raise Refusal(404, "nothing found")

        def handle_request(self, data):
            with open(options.log, "a") as log:
                print(json.dumps({"path": self.path, "method": self.command}), file=log)
            try:
                self.answer(data)
            except Refusal as refusal:
                self.send(refusal.code, json.dumps({"code": refusal.code, "error": str(refusal)}).encode())

        def do_GET(self):
            self.handle_request(None)

        def do_POST(self):
            self.handle_request(self.rfile.read(int(self.headers["Content-Length"])))

    http.server.ThreadingHTTPServer(("127.0.0.1", options.port), Handler).serve_forever()


main()
