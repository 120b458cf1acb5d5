#!/usr/bin/env python3
"""Plays profefe: profefe.py PORT LOG [OPTION]... (stand_in.py has more options)

Written from profefe's documents and from what a server answered, not from pgo. Keeps profiles as they were pushed;
`created_at` is their own time, if they have one. Labels are encoded as in a query, part by part, when they are sent;
in answers they are sorted, as they are, and absent when there are none. What is not found is 404. Of --load, the label
service_name is the service. --labels-as-objects: as some versions answer.
"""

import datetime
import json
import urllib.parse

from messages import Profile
from stand_in import Handler, Refusal, arguments, loaded, parse, serve

TYPES = ("cpu", "heap", "block", "mutex", "goroutine", "threadcreate", "trace", "other")


def parse_labels(text):
    parts = [part.partition("=") for part in text.split(",")] if text else []
    return {urllib.parse.unquote_plus(key.strip()): urllib.parse.unquote_plus(value.strip()) for key, _, value in parts}


def moment(text, name):
    if not text:
        raise Refusal(400, f'bad request: missing "{name}"')
    try:
        return datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%S").replace(tzinfo=datetime.timezone.utc).timestamp()
    except ValueError:
        raise Refusal(400, f'bad request: bad "{name}"')


def main():
    options = parse(arguments(flags=("labels-as-objects",)), {})
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

    for its, _, profile in loaded(options):
        labels = {k: v for k, v in its.items() if k not in ("__name__", "service_name")}
        ingest(its["service_name"], "cpu", labels, profile.write())

    class Profefe(Handler):
        def reply(self, body):
            self.send(200, json.dumps({"code": 200, "body": body}).encode(), "application/json")

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

        def handle_request(self):
            data = self.take(lambda _: {"method": self.command})
            try:
                self.answer(data if self.command == "POST" else None)
            except Refusal as refusal:
                body = json.dumps({"code": refusal.code, "error": str(refusal)}).encode()
                self.send(refusal.code, body, "application/json")

        do_GET = do_POST = handle_request

    serve(Profefe, options)


main()
