#!/usr/bin/env python3
"""Plays Parca: parca.py PORT LOG [OPTION]... (stand_in.py has more options)

Written from Parca's documents (its .proto files, the gRPC-Web protocol) and from what a server answered, not from pgo:
gRPC-Web over HTTP/1.1, unary; and gRPC itself, whose trailers are HTTP's own, behind a proxy that speaks HTTP/2. Like the
server it

- merges what it has of a window, whose ends both belong to it; nothing found is a success with a profile without samples;
- answers QueryRange with the status NOT_FOUND where there is nothing. Of profiles with a duration, each step has one
  point with the sum, at the begin of the step; of others only one profile, at its time. No step is shorter than a second;
- selects by one type and matchers. A type that is no name of a metric is a matcher: {__name__="..."};
- puts 0 in place of addresses of locations that were pushed with lines, says of every mapping that it has functions,
  gives one value, no period and no duration, and a wrong time of merged profiles;
- multiplies numbers of samples by the period when it merges, and calls them by the period's type;
- loses labels of samples, values of 0, and has labels of series only by group_by;
- has errors in the header of an answer without a body, and trailers as a last frame.

  --bearer TOKEN, --project ID    wants these
  --pieces           sends answers in many pieces      --cut    ends an answer in the middle of its frame
  --no-trailers      leaves them out                   --page   answers with a page, as a proxy does
  --filler BYTES     adds this many bytes to merged profiles, as unused texts
  --unavailable N    answers the first N requests with UNAVAILABLE
  --limit SECONDS    the longest window to list or merge, RESOURCE_EXHAUSTED for others
  --forgets          lists what it has, and merges nothing
"""

import gzip
import os
import re
import urllib.parse

from messages import Profile, every, first, matches, merged, number, parse_matchers, signed, sized
from stand_in import Fields, Handler, Refusal, arguments, loaded, parse, serve

NUMBERS = {
    "Timestamp.seconds": 1, "Timestamp.nanos": 2, "Duration.seconds": 1, "Label.name": 1, "Label.value": 2,
    "LabelSet.labels": 1,
    "ProfileTypesRequest.start": 1, "ProfileTypesRequest.end": 2, "ProfileTypesResponse.types": 1,
    "ProfileType.name": 1, "ProfileType.sample_type": 2, "ProfileType.sample_unit": 3, "ProfileType.period_type": 4,
    "ProfileType.period_unit": 5, "ProfileType.delta": 6, "LabelsRequest.start": 2, "LabelsRequest.end": 3,
    "LabelsRequest.profile_type": 4, "LabelsResponse.label_names": 1, "QueryRangeRequest.query": 1,
    "QueryRangeRequest.start": 2, "QueryRangeRequest.end": 3, "QueryRangeRequest.step": 5,
    "QueryRangeResponse.series": 1, "MetricsSeries.labelset": 1, "MetricsSeries.samples": 2,
    "MetricsSample.timestamp": 1, "MetricsSample.value": 2, "QueryRequest.mode": 1, "QueryRequest.merge": 3,
    "QueryRequest.report_type": 5, "QueryRequest.group_by": 8, "GroupBy.fields": 1,
    "MergeProfile.query": 1, "MergeProfile.start": 2, "MergeProfile.end": 3,
    "QueryResponse.pprof": 6, "WriteRawRequest.series": 2, "RawProfileSeries.labels": 1,
    "RawProfileSeries.samples": 2, "RawSample.raw_profile": 1,
}
INVALID, NOT_FOUND, EXHAUSTED, UNIMPLEMENTED, UNAVAILABLE, UNAUTHENTICATED = 3, 5, 8, 12, 14, 16
MERGE, PPROF = 2, 1
field = Fields(NUMBERS, INVALID)
check = field.check


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
        """{(labels, time, index of the type)...} by (name, type, unit, period type, period unit, delta)."""
        found = {}
        for labels, time, profile in self.profiles:
            for index, (kind, unit) in enumerate(profile.types):
                type_ = (labels["__name__"], kind, unit, *profile.period_type, profile.duration != 0)
                if any(values[index] for _, _, values in profile.samples):
                    found.setdefault(type_, []).append((labels, time, index, profile))
        return found

    def time(self, message, name, default=None):
        found = first(message, field(name))
        if found is None:
            if default is not None:
                return default
            raise Refusal(INVALID, f"{name.rsplit('.', 1)[1]}: cannot be blank.")
        check(found, "Timestamp")
        return signed(first(found, field("Timestamp.seconds"), 0)) * 1000 + first(
            found, field("Timestamp.nanos"), 0) // 1_000_000

    def check_limit(self, begin, end):
        if self.options.limit and end - begin > self.options.limit * 1000 + 1:
            raise Refusal(EXHAUSTED, "the query needs too much memory")

    def select(self, query):
        found = re.fullmatch(r"\s*([A-Za-z_:][A-Za-z0-9_:]*)?\s*(\{.*\})?\s*", query, re.DOTALL)
        try:
            matchers = parse_matchers(found[2] or "{}") if found else None
        except ValueError:
            matchers = None
        if matchers is None:
            raise Refusal(INVALID, "failed to parse query")
        names = [found[1]] if found[1] else []
        names += [value for name, how, value in matchers if name == "__name__"]
        if len(names) > 1:
            raise Refusal(INVALID, "failed to parse query")
        if not names:
            raise Refusal(INVALID, "query must contain a profile-type selection")
        parts = names[0].split(":")
        if len(parts) not in (5, 6):
            raise Refusal(INVALID, "profile-type selection must be of the form <name>:<sample-type>:<sample-unit>:"
                                   f"<period-type>:<period-unit>(:delta), got({len(parts)}): \"{names[0]}\"")
        type_ = (*parts[:5], parts[5:] == ["delta"])
        rest = [matcher for matcher in matchers if matcher[0] != "__name__"]
        return [one for one in self.types().get(type_, []) if matches(one[0], rest)]

    def profile_types(self, request):
        check(request, "ProfileTypesRequest")
        begin, end = (self.time(request, f"ProfileTypesRequest.{what}", 0) for what in ("start", "end"))
        answer = b""
        for parts, profiles in sorted(self.types().items()):
            if end and not any(begin <= time <= end for _, time, _, _ in profiles):
                continue
            message = b"".join(sized(field(f"ProfileType.{key}"), text.encode()) for key, text in zip(
                ("name", "sample_type", "sample_unit", "period_type", "period_unit"), parts))
            answer += sized(field("ProfileTypesResponse.types"), message + number(field("ProfileType.delta"), parts[5]))
        return answer

    def labels(self, request):
        check(request, "LabelsRequest")
        begin, end = (self.time(request, f"LabelsRequest.{what}", 0) for what in ("start", "end"))
        wanted = first(request, field("LabelsRequest.profile_type"), b"").decode()
        profiles = self.select(wanted + "{}") if wanted else [one for its in self.types().values() for one in its]
        names = set()
        for labels, time, _, _ in profiles:
            names |= labels.keys() - {"__name__"} if not end or begin <= time <= end else set()
        return b"".join(sized(field("LabelsResponse.label_names"), name.encode()) for name in sorted(names))

    def query_range(self, request):
        check(request, "QueryRangeRequest")
        query = first(request, field("QueryRangeRequest.query"), b"").decode()
        begin, end = (self.time(request, f"QueryRangeRequest.{what}") for what in ("start", "end"))
        self.check_limit(begin, end)
        step = first(request, field("QueryRangeRequest.step"), b"")
        step = 1000 * max(1, first(check(step, "Duration"), field("Duration.seconds"), 0))
        series = {}
        for labels, time, index, profile in self.select(query):
            if not begin < time < end:
                continue
            points = series.setdefault(tuple(sorted(labels.items())), {})
            value = sum(values[index] for _, _, values in profile.samples)
            bucket = time // step
            if profile.duration:
                points[bucket] = (bucket * step, points.get(bucket, (0, 0))[1] + value)
            else:
                points.setdefault(bucket, (time, value))
        if not series:
            raise Refusal(NOT_FOUND, "No data found for the query, try a different query or time range or no data has "
                                     "been written to be queried yet.")
        answer = b""
        for labels, points in sorted(series.items()):
            set_ = b"".join(sized(field("LabelSet.labels"), sized(field("Label.name"), name.encode()) + sized(
                field("Label.value"), text.encode())) for name, text in labels if name != "__name__")
            message = sized(field("MetricsSeries.labelset"), set_)
            for time, value in sorted(points.values()):
                message += sized(field("MetricsSeries.samples"), sized(field("MetricsSample.timestamp"), timestamp(time)) +
                                 number(field("MetricsSample.value"), value))
            answer += sized(field("QueryRangeResponse.series"), message)
        return answer

    def query(self, request):
        check(request, "QueryRequest")
        if first(request, field("QueryRequest.mode"), 0) != MERGE:
            raise Refusal(UNIMPLEMENTED, "this stand-in merges only")
        if first(request, field("QueryRequest.report_type"), 0) != PPROF:
            return sized(11, b"flame graph")
        names = [name.decode() for group in every(request, field("QueryRequest.group_by"))
                 for name in every(check(group, "GroupBy"), field("GroupBy.fields"))]
        for name in names:
            if not name.startswith("labels."):
                raise Refusal(INVALID, f"invalid group by field: {name}")
        result = self.merge(request, names)
        message = result.write() + sized(6, os.urandom(self.options.filler // 2).hex().encode() + b"00")
        return sized(field("QueryResponse.pprof"), gzip.compress(message))

    def merge(self, request, names):
        options = check(first(request, field("QueryRequest.merge"), b""), "MergeProfile")
        query = first(options, field("MergeProfile.query"), b"").decode()
        begin, end = (self.time(options, f"MergeProfile.{what}") for what in ("start", "end"))
        self.check_limit(begin, end)
        parts, result = [], Profile()
        result.types = [("", "")]
        for labels, time, index, profile in self.select(query):
            if not begin <= time <= end or self.options.forgets:
                continue
            its = tuple((name[7:], labels[name[7:]], 0) for name in names if name[7:] in labels)
            is_samples = profile.types[index] == ("samples", "count")
            one = Profile()
            one.types = [profile.period_type if is_samples else profile.types[index]]
            one.samples = [(stack, its, [values[index] * (profile.period if is_samples else 1)])
                           for stack, _, values in profile.samples if values[index]]
            parts.append(one)
        if parts:
            result = merged(parts)
        result.time = (begin * 1_000_000 * 1_000_000) & (1 << 64) - 1
        return result

    def write_raw(self, request):
        for series in every(check(request, "WriteRawRequest"), field("WriteRawRequest.series")):
            labels, set_ = {}, first(check(series, "RawProfileSeries"), field("RawProfileSeries.labels"), b"")
            for one in every(check(set_, "LabelSet"), field("LabelSet.labels")):
                check(one, "Label")
                name = first(one, field("Label.name"), b"").decode()
                if not name or name in labels:
                    raise Refusal(INVALID, f"invalid label name: {name}")
                labels[name] = first(one, field("Label.value"), b"").decode()
            for sample in every(series, field("RawProfileSeries.samples")):
                self.ingest(labels, first(check(sample, "RawSample"), field("RawSample.raw_profile"), b""))
        return b""


def main():
    options = parse(arguments(texts=("bearer", "project"), flags=("pieces", "cut", "no-trailers", "page", "forgets", "frames"),
                              numbers=(("filler", 0), ("unavailable", 0), ("limit", 0))), NUMBERS)
    store = Store(options)
    for labels, _, profile in loaded(options):
        store.ingest(labels, profile.write())
    methods = {"/parca.query.v1alpha1.QueryService/ProfileTypes": store.profile_types,
               "/parca.query.v1alpha1.QueryService/Labels": store.labels,
               "/parca.query.v1alpha1.QueryService/QueryRange": store.query_range,
               "/parca.query.v1alpha1.QueryService/Query": store.query,
               "/parca.profilestore.v1alpha1.ProfileStoreService/WriteRaw": store.write_raw}

    class Parca(Handler):
        def write(self, body):
            piece = 1000 if options.pieces else len(body) or 1
            for at in range(0, len(body), piece):
                self.wfile.write(body[at:at + piece])

        def saved(self, body):
            return body[5:]

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

        def answer(self, frame, kind):
            if kind not in ("application/grpc-web+proto", "application/grpc"):
                raise Refusal(INVALID, "no gRPC")
            if kind == "application/grpc" and self.headers.get("TE") != "trailers":
                raise Refusal(INVALID, "no TE: trailers")
            if options.unavailable > 0:
                options.unavailable -= 1
                raise Refusal(UNAVAILABLE, "the server is starting")
            if options.bearer and self.headers.get("Authorization") != "Bearer " + options.bearer:
                raise Refusal(UNAUTHENTICATED, "invalid token")
            if options.project and self.headers.get("projectID") != options.project:
                raise Refusal(UNAUTHENTICATED, "no project")
            if frame[:1] != b"\0" or int.from_bytes(frame[1:5], "big") != len(frame) - 5:
                raise Refusal(INVALID, "the frame of the request")
            if self.path not in methods:
                raise Refusal(UNIMPLEMENTED, f"unknown method {self.path}")
            return methods[self.path](frame[5:])

        def do_POST(self):
            frame = self.take(lambda body: {"bytes": len(body)})
            if options.page:
                return self.send(200, b"<html>Log in</html>", "text/html")
            kind = self.headers.get("Content-Type", "")
            try:
                message = self.answer(frame, kind)
            except Refusal as refusal:
                said = urllib.parse.quote(str(refusal), safe=" :(){}\"'<>,.")
                if options.frames:
                    trailers = f"grpc-status: {refusal.code}\r\ngrpc-message: {said}\r\n".encode()
                    return self.send(200, b"\x80" + len(trailers).to_bytes(4, "big") + trailers, kind)
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

    serve(Parca, options)


main()
