#!/usr/bin/env python3
"""Plays Parca: parca.py PORT LOG [OPTION]...

Written from Parca's documents (its .proto files, the gRPC-Web protocol) and from what a server answered, not from pgo:
gRPC-Web over HTTP/1.1, unary; and gRPC itself, whose trailers are HTTP's own, behind a proxy that speaks HTTP/2. LOG gets
one line of JSON for each request. Like the server it

- merges what it has of a window, whose ends both belong to it; nothing found is a success with a profile without samples;
- answers QueryRange with the status NOT_FOUND where there is nothing, with one point for each step that has profiles;
- puts 0 in place of addresses of locations that were pushed with lines, says of every mapping that it has functions,
  gives one value, no period and no duration, and a wrong time of merged profiles;
- multiplies numbers of samples by the period when it merges, and calls them by the period's type;
- loses labels of samples, and has those of series only by group_by;
- has errors in the header of an answer without a body, and trailers as a last frame.

  --load FILE        begins with these profiles: [{"labels": {}, "time": SECONDS, "pprof": PATH}]
  --bearer TOKEN, --project ID    wants these
  --pieces           sends answers in many pieces      --cut    ends an answer in the middle of its frame
  --no-trailers      leaves them out                   --page   answers with a page, as a proxy does
  --filler BYTES     adds this many bytes to merged profiles, as unused texts
  --save DIRECTORY   keeps the message of the last request for each method there
  --change FIELD=N   another number for a field of FIELDS: what no Parca does
"""

import argparse
import gzip
import http.server
import json
import os
import urllib.parse

from messages import Profile, every, fields, first, matches, merged, number, save, signed, sized

FIELDS = {
    "Timestamp.seconds": 1, "Timestamp.nanos": 2, "Label.name": 1, "Label.value": 2, "LabelSet.labels": 1,
    "ProfileTypesRequest.start": 1, "ProfileTypesRequest.end": 2, "ProfileTypesResponse.types": 1,
    "ProfileType.name": 1, "ProfileType.sample_type": 2, "ProfileType.sample_unit": 3, "ProfileType.period_type": 4,
    "ProfileType.period_unit": 5, "ProfileType.delta": 6, "LabelsRequest.start": 2, "LabelsRequest.end": 3,
    "LabelsRequest.profile_type": 4, "LabelsResponse.label_names": 1, "QueryRangeRequest.query": 1,
    "QueryRangeRequest.start": 2, "QueryRangeRequest.end": 3, "QueryRangeRequest.step": 5,
    "QueryRangeResponse.series": 1, "MetricsSeries.labelset": 1, "MetricsSeries.samples": 2,
    "MetricsSample.timestamp": 1, "MetricsSample.value": 2, "QueryRequest.mode": 1, "QueryRequest.merge": 3,
    "QueryRequest.single": 4, "QueryRequest.report_type": 5, "QueryRequest.group_by": 8, "GroupBy.fields": 1,
    "MergeProfile.query": 1, "MergeProfile.start": 2, "MergeProfile.end": 3, "SingleProfile.time": 1,
    "SingleProfile.query": 2, "QueryResponse.pprof": 6, "WriteRawRequest.series": 2, "RawProfileSeries.labels": 1,
    "RawProfileSeries.samples": 2, "RawSample.raw_profile": 1,
}
INVALID, NOT_FOUND, UNIMPLEMENTED, UNAUTHENTICATED, OK = 3, 5, 12, 16, 0
MERGE, PPROF = 2, 1


class Refusal(Exception):
    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


def field(name):
    return FIELDS[name]


def timestamp(milliseconds):
    return number(field("Timestamp.seconds"), milliseconds // 1000) + number(
        field("Timestamp.nanos"), milliseconds % 1000 * 1_000_000)


class Store:
    def __init__(self, options):
        self.options, self.profiles = options, []  # (labels, milliseconds, Profile)

    def ingest(self, labels, data):
        try:
            profile = Profile.parse(data)
        except (ValueError, IndexError, KeyError, EOFError) as error:
            raise Refusal(INVALID, f"failed to parse profile: {error}")
        if "__name__" not in labels:
            raise Refusal(INVALID, "missing __name__ label")

        def kept(location):
            mapping, address, lines = location
            return (mapping and (*mapping[:5], 1), 0 if lines else address, lines)

        profile.changed(kept)
        profile.samples = [(stack, (), values) for stack, _, values in profile.samples]
        self.profiles.append((labels, profile.time // 1_000_000, profile))

    def types(self):
        """{(labels, time, index of the type)...} by "name:type:unit:period type:period unit[:delta]"."""
        found = {}
        for labels, time, profile in self.profiles:
            for index, (kind, unit) in enumerate(profile.types):
                name = ":".join([labels["__name__"], kind, unit, *profile.period_type])
                found.setdefault(name + (":delta" if profile.duration else ""), []).append(
                    (labels, time, index, profile))
        return found

    def time(self, message, name, default=None):
        found = first(message, field(name))
        if found is None:
            if default is not None:
                return default
            raise Refusal(INVALID, f"{name.rsplit('.', 1)[1]}: cannot be blank.")
        return signed(first(found, field("Timestamp.seconds"), 0)) * 1000 + first(
            found, field("Timestamp.nanos"), 0) // 1_000_000

    def select(self, query):
        name, brace, rest = query.partition("{")
        if len(name.split(":")) not in (5, 6):
            raise Refusal(INVALID, "query must contain a profile-type selection" if not name else
                          "profile-type selection must be of the form <name>:<sample-type>:<sample-unit>:"
                          f"<period-type>:<period-unit>(:delta), got({name.count(':') + 1}): \"{name}\"")
        try:
            return [one for one in self.types().get(name, []) if matches(one[0], brace + rest or "{}")]
        except ValueError:
            raise Refusal(INVALID, "failed to parse query")

    def profile_types(self, request):
        begin, end = (self.time(request, f"ProfileTypesRequest.{what}", 0) for what in ("start", "end"))
        answer = b""
        for name, profiles in sorted(self.types().items()):
            if end and not any(begin <= time <= end for _, time, _, _ in profiles):
                continue
            parts = name.split(":")
            message = b"".join(sized(field(f"ProfileType.{key}"), text.encode()) for key, text in zip(
                ("name", "sample_type", "sample_unit", "period_type", "period_unit"), parts))
            answer += sized(field("ProfileTypesResponse.types"), message + number(field("ProfileType.delta"), len(parts) == 6))
        return answer

    def labels(self, request):
        begin, end = (self.time(request, f"LabelsRequest.{what}") for what in ("start", "end"))
        wanted, names = first(request, field("LabelsRequest.profile_type"), b"").decode(), set()
        for name, profiles in self.types().items():
            if wanted in ("", name):
                for labels, time, _, _ in profiles:
                    names |= labels.keys() - {"__name__"} if begin <= time <= end else set()
        return b"".join(sized(field("LabelsResponse.label_names"), name.encode()) for name in sorted(names))

    def query_range(self, request):
        query = first(request, field("QueryRangeRequest.query"), b"").decode()
        begin, end = (self.time(request, f"QueryRangeRequest.{what}") for what in ("start", "end"))
        step = max(1000, self.time(request, "QueryRangeRequest.step", 1000))
        series = {}
        for labels, time, index, profile in self.select(query):
            if begin < time < end:
                points = series.setdefault(tuple(sorted(labels.items())), {})
                value = sum(values[index] for _, _, values in profile.samples)
                points[time // step * step] = points.get(time // step * step, 0) + value
        if not series:
            raise Refusal(NOT_FOUND, "No data found for the query, try a different query or time range or no data has "
                                     "been written to be queried yet.")
        answer = b""
        for labels, points in sorted(series.items()):
            set_ = b"".join(sized(field("LabelSet.labels"), sized(field("Label.name"), name.encode()) + sized(
                field("Label.value"), text.encode())) for name, text in labels if name != "__name__")
            message = sized(field("MetricsSeries.labelset"), set_)
            for time, value in sorted(points.items()):
                message += sized(field("MetricsSeries.samples"), sized(field("MetricsSample.timestamp"), timestamp(time)) +
                                 number(field("MetricsSample.value"), value))
            answer += sized(field("QueryRangeResponse.series"), message)
        return answer

    def query(self, request):
        mode = first(request, field("QueryRequest.mode"), 0)
        if first(request, field("QueryRequest.report_type"), 0) != PPROF:
            return sized(11, b"flame graph")
        names = [name.decode() for group in every(request, field("QueryRequest.group_by"))
                 for name in every(group, field("GroupBy.fields"))]
        for name in names:
            if not name.startswith("labels."):
                raise Refusal(INVALID, f"invalid group by field: {name}")
        result = self.merge(request, names) if mode == MERGE else self.single(request)
        message = result.write() + sized(6, os.urandom(self.options.filler // 2).hex().encode() + b"00")
        return sized(field("QueryResponse.pprof"), gzip.compress(message))

    def merge(self, request, names):
        options = first(request, field("QueryRequest.merge"), b"")
        query = first(options, field("MergeProfile.query"), b"").decode()
        begin, end = (self.time(options, f"MergeProfile.{what}") for what in ("start", "end"))
        parts, result = [], Profile()
        result.types = [("", "")]
        for labels, time, index, profile in self.select(query):
            if not begin <= time <= end:
                continue
            its = tuple((name[7:], labels[name[7:]], 0) for name in names if name[7:] in labels)
            is_samples = profile.types[index] == ("samples", "count")
            one = Profile()
            one.types = [profile.period_type if is_samples else profile.types[index]]
            one.samples = [(stack, its, [values[index] * (profile.period if is_samples else 1)])
                           for stack, _, values in profile.samples]
            parts.append(one)
        if parts:
            result = merged(parts)
        result.time = (begin * 1_000_000 * 1_000_000) & (1 << 64) - 1
        return result

    def single(self, request):
        options = first(request, field("QueryRequest.single"), b"")
        query, wanted = first(options, field("SingleProfile.query"), b"").decode(), self.time(options, "SingleProfile.time")
        for _, time, index, profile in self.select(query):
            if time == wanted:
                one = Profile()
                one.types, one.time = [profile.types[index]], time * 1_000_000
                one.samples = [(stack, (), [values[index]]) for stack, _, values in profile.samples]
                return one
        raise Refusal(NOT_FOUND, "could not find profile at requested time and selectors")

    def write_raw(self, request):
        for series in every(request, field("WriteRawRequest.series")):
            labels = {}
            for one in every(first(series, field("RawProfileSeries.labels"), b""), field("LabelSet.labels")):
                labels[first(one, field("Label.name"), b"").decode()] = first(one, field("Label.value"), b"").decode()
            for sample in every(series, field("RawProfileSeries.samples")):
                self.ingest(labels, first(sample, field("RawSample.raw_profile"), b""))
        return b""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("port", type=int)
    parser.add_argument("log")
    for name in ("load", "bearer", "project", "save"):
        parser.add_argument(f"--{name}")
    parser.add_argument("--filler", type=int, default=0)
    parser.add_argument("--change", action="append", default=[])
    for name in ("pieces", "cut", "no-trailers", "page"):
        parser.add_argument(f"--{name}", action="store_true")
    options = parser.parse_args()
    for change in options.change:
        name, value = change.split("=")
        assert name in FIELDS, name
        FIELDS[name] = int(value)
    store = Store(options)
    for one in json.load(open(options.load)) if options.load else []:
        data = Profile.parse(open(one["pprof"], "rb").read())
        data.time = int(one["time"] * 1e9)
        store.ingest(dict(one["labels"]), data.write())
    methods = {"/parca.query.v1alpha1.QueryService/ProfileTypes": store.profile_types,
               "/parca.query.v1alpha1.QueryService/Labels": store.labels,
               "/parca.query.v1alpha1.QueryService/QueryRange": store.query_range,
               "/parca.query.v1alpha1.QueryService/Query": store.query,
               "/parca.profilestore.v1alpha1.ProfileStoreService/WriteRaw": store.write_raw}

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_):
            pass

        def send(self, status, body, kind, headers=()):
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            for name, value in headers:
                self.send_header(name, value)
            self.end_headers()
            for at in range(0, len(body), 1000 if options.pieces else len(body) or 1):
                self.wfile.write(body[at:at + (1000 if options.pieces else len(body))])

        def do_GET(self):
            self.send(404, b"404 page not found\n", "text/plain")

        def send_with_trailers(self, message):
            self.send_response(200)
            self.send_header("Content-Type", "application/grpc")
            self.send_header("Transfer-Encoding", "chunked")
            self.send_header("Trailer", "Grpc-Status")
            self.end_headers()
            body = b"\0" + len(message).to_bytes(4, "big") + message
            self.wfile.write(b"%x\r\n%s\r\n0\r\nGrpc-Status: 0\r\n\r\n" % (len(body), body))

        def answer(self, frame):
            if self.kind not in ("application/grpc-web+proto", "application/grpc"):
                raise Refusal(INVALID, "no gRPC")
            if self.kind == "application/grpc" and self.headers.get("TE") != "trailers":
                raise Refusal(INVALID, "no TE: trailers")
            if options.bearer and self.headers.get("Authorization") != "Bearer " + options.bearer:
                raise Refusal(UNAUTHENTICATED, "invalid token")
            if options.project and self.headers.get("projectID") != options.project:
                raise Refusal(UNAUTHENTICATED, "no project")
            assert frame[0] == 0 and int.from_bytes(frame[1:5], "big") == len(frame) - 5, "the frame of the request"
            if self.path not in methods:
                raise Refusal(UNIMPLEMENTED, f"unknown method {self.path}")
            return methods[self.path](frame[5:])

        def do_POST(self):
            frame = self.rfile.read(int(self.headers["Content-Length"]))
            if options.save:
                save(f"{options.save}/{self.path.rsplit('/', 1)[1]}", frame[5:])
            with open(options.log, "a") as log:
                print(json.dumps({"path": self.path, "bytes": len(frame)}), file=log)
            if options.page:
                return self.send(200, b"<html>Log in</html>", "text/html")
            kind = self.kind = self.headers.get("Content-Type", "")
            try:
                message = self.answer(frame)
            except Refusal as refusal:
                said = urllib.parse.quote(str(refusal), safe=" :(){}\"'<>,.")
                return self.send(200, b"", kind, [("Grpc-Status", str(refusal.code)), ("Grpc-Message", said)])
            if kind == "application/grpc":
                return self.send_with_trailers(message)
            body = b"\0" + len(message).to_bytes(4, "big") + message
            if options.cut:
                body = body[:len(body) // 2]
            elif not options.no_trailers:
                trailers = b"grpc-status: 0\r\n"
                body += b"\x80" + len(trailers).to_bytes(4, "big") + trailers
            self.send(200, body, kind)

    http.server.ThreadingHTTPServer(("127.0.0.1", options.port), Handler).serve_forever()


main()
