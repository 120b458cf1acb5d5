#!/usr/bin/env python3
"""Plays Grafana Pyroscope: pyroscope.py PORT LOG [OPTION]... (stand_in.py has more options)

Written from Pyroscope's documents (reference-server-api, the .proto files of its API, the limits of its
configuration), and not from pgo: unary Connect over HTTP/1.1, application/proto, errors as JSON with the status of their
code. Like the server it

- merges what it has of a window, which may be empty, and limits how long a window is;
- takes the addresses from mappings that have functions, at ingest, and keeps build IDs and file names;
- drops numeric labels and samples with negative values; calls a service without a name unknown_service;
- refuses profiles older than an hour or newer than ten minutes, larger than 4 MiB, with more than 16 000 samples, or with
  more than 30 labels. (What --load has may be of any time.)

  --limit SECONDS    the longest window (a day)
  --lookback SECONDS begins windows that begin earlier so long before now, and says nothing of it (0: it does not)
  --tenant NAME      wants X-Scope-OrgID    --basic USER:PASSWORD, --bearer TOKEN    want Authorization
  --old              answers SelectMergeStacktraces without pprof     --new, --router   do not know SelectMergeProfile
  --page             answers with a page, as a proxy does
  --forgets TEXT     lists what has this text in its selector, and merges nothing of it
"""

import base64
import gzip
import json
import time

from messages import Profile, every, fields, first, matches, merged, parse_matchers, signed, sized
from stand_in import Fields, Handler, Refusal, arguments, loaded, parse, serve

NUMBERS = {
    "ProfileTypesRequest.start": 1, "ProfileTypesRequest.end": 2, "ProfileTypesResponse.profile_types": 1,
    "ProfileType.ID": 1, "LabelNamesRequest.matchers": 1, "LabelNamesRequest.start": 2, "LabelNamesRequest.end": 3,
    "LabelNamesResponse.names": 1, "SeriesRequest.matchers": 1, "SeriesRequest.label_names": 2,
    "SeriesRequest.start": 3, "SeriesRequest.end": 4, "SeriesResponse.labels_set": 2, "Labels.labels": 1,
    "LabelPair.name": 1, "LabelPair.value": 2, "SelectMergeProfileRequest.profile_typeID": 1,
    "SelectMergeProfileRequest.label_selector": 2, "SelectMergeProfileRequest.start": 3,
    "SelectMergeProfileRequest.end": 4, "SelectMergeStacktracesRequest.profile_typeID": 1,
    "SelectMergeStacktracesRequest.label_selector": 2, "SelectMergeStacktracesRequest.start": 3,
    "SelectMergeStacktracesRequest.end": 4, "SelectMergeStacktracesRequest.format": 6,
    "SelectMergeStacktracesResponse.pprof": 5, "PprofProfile.profile": 1, "PushRequest.series": 1,
    "RawProfileSeries.labels": 1, "RawProfileSeries.samples": 2, "RawSample.raw_profile": 1,
}
STATUS = {"invalid_argument": 400, "unauthenticated": 401, "not_found": 404, "resource_exhausted": 429,
          "unimplemented": 501, "internal": 500}
FORMAT_PPROF = 4


field = Fields(NUMBERS, "invalid_argument")
check = field.check


class Store:
    def __init__(self, options):
        self.options, self.profiles = options, []  # (labels, seconds, Profile)

    def ingest(self, labels, data, age_limit, now):
        try:
            profile = Profile.parse(data)
        except (ValueError, IndexError, KeyError, EOFError, gzip.BadGzipFile) as error:
            raise Refusal("invalid_argument", f"failed to parse profile: {error}")
        plain = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
        if not labels.get("__name__"):
            raise Refusal("invalid_argument", "error at least one label is required: profile name is missing")
        if len(plain) > 4 << 20:
            raise Refusal("invalid_argument", f"the profile with labels '{labels}' exceeds the size limit")
        if len(profile.samples) > 16000:
            raise Refusal("invalid_argument", f"the profile exceeds the samples count limit (max_profile_samples, "
                                              f"actual: {len(profile.samples)}, limit: 16000)")
        seconds = profile.time / 1e9 or now
        if seconds > now + 600 and age_limit < float("inf"):
            raise Refusal("invalid_argument", "profile with labels is outside of ingestion window (profile timestamp is "
                                              "too far in the future)")
        if len(labels) > 30:
            raise Refusal("invalid_argument", f"profile series has {len(labels)} label names; limit 30")
        if seconds < now - age_limit:
            raise Refusal("invalid_argument", "profile with labels is outside of ingestion window (profile timestamp "
                                              "is too old)")
        labels.setdefault("service_name", "unknown_service")

        def without_address(location):
            mapping, address, lines = location
            if mapping and mapping[5]:
                return ((0, 0, 0, mapping[3], mapping[4], 1), 0, lines)
            return location

        profile.changed(without_address)
        profile.samples = [(stack, tuple(label for label in its if label[1]), values)
                           for stack, its, values in profile.samples if min(values) >= 0]
        self.profiles.append((labels, seconds, profile))

    def types_of(self, labels, profile):
        return [f"{labels['__name__']}:{kind}:{unit}:{profile.period_type[0]}:{profile.period_type[1]}"
                for kind, unit in profile.types]

    def select(self, selectors, start, end):
        """(labels with __profile_type__, index of the type, profile) of what is in the window."""
        if self.options.lookback:
            start = max(start, (time.time() - self.options.lookback) * 1000)
        selectors = [parse_matchers(selector) for selector in selectors]
        for labels, seconds, profile in self.profiles:
            if not start <= seconds * 1000 <= end:
                continue
            for index, type_ in enumerate(self.types_of(labels, profile)):
                its = {**labels, "__profile_type__": type_}
                if all(matches(its, selector) for selector in selectors):
                    yield its, index, profile

    def check_window(self, start, end):
        if not start or not end:
            raise Refusal("invalid_argument", "missing time range in the query")
        if end - start > self.options.limit * 1000:
            raise Refusal("invalid_argument", f"the query time range exceeds the limit (query length: "
                                              f"{(end - start) // 1000}s, limit: {self.options.limit}s)")

    def window(self, request, method):
        check(request, f"{method}Request")
        start, end = (signed(first(request, field(f"{method}Request.{what}"), 0)) for what in ("start", "end"))
        self.check_window(start, end)
        return start, end

    def selection(self, request, method, name):
        found = [value.decode() for value in every(request, field(f"{method}Request.{name}"))]
        for selector in found:
            try:
                parse_matchers(selector)
            except ValueError as error:
                raise Refusal("invalid_argument", str(error))
        return found

    def profile_types(self, request):
        types = {its["__profile_type__"] for its, _, _ in self.select([], *self.window(request, "ProfileTypes"))}
        return b"".join(sized(field("ProfileTypesResponse.profile_types"), sized(field("ProfileType.ID"), one.encode()))
                        for one in sorted(types))

    def label_names(self, request):
        window, names = self.window(request, "LabelNames"), set()
        for its, _, _ in self.select(self.selection(request, "LabelNames", "matchers"), *window):
            names |= its.keys()
        return b"".join(sized(field("LabelNamesResponse.names"), name.encode()) for name in sorted(names))

    def series(self, request):
        window, sets = self.window(request, "Series"), set()
        names = [name.decode() for name in every(request, field("SeriesRequest.label_names"))]
        for its, _, _ in self.select(self.selection(request, "Series", "matchers"), *window):
            sets.add(tuple(sorted((name, text) for name, text in its.items() if not names or name in names)))
        answer = b""
        for one in sorted(sets):
            labels = b"".join(sized(field("Labels.labels"), sized(field("LabelPair.name"), name.encode()) +
                                    sized(field("LabelPair.value"), text.encode())) for name, text in one)
            answer += sized(field("SeriesResponse.labels_set"), labels)
        return answer

    def merge(self, request, method):
        start, end = self.window(request, method)
        type_ = first(request, field(f"{method}Request.profile_typeID"), b"").decode()
        if len(type_.split(":")) != 5:
            raise Refusal("invalid_argument", f"profile-type selection must be of the form <name>:<type>:<unit>:"
                                              f"<period_type>:<period_unit>, got({type_.count(':') + 1}): \"{type_}\"")
        selectors = self.selection(request, method, "label_selector")
        found = []
        for its, index, profile in self.select(selectors, start, end):
            if its["__profile_type__"] != type_:
                continue
            one = Profile()
            one.types, one.period_type, one.period = [profile.types[index]], profile.period_type, profile.period
            one.samples = [(stack, (), [values[index]]) for stack, _, values in profile.samples]
            found.append(one)
        if not found or (self.options.forgets and any(self.options.forgets in one for one in selectors)):
            return b""
        result = merged(found)
        result.time = end * 1_000_000
        return result.write()

    def merge_stacktraces(self, request):
        message = self.merge(request, "SelectMergeStacktraces")
        if self.options.old or first(request, field("SelectMergeStacktracesRequest.format"), 0) != FORMAT_PPROF:
            return sized(1, b"")  # a flame graph
        if not message:
            return b""
        return sized(field("SelectMergeStacktracesResponse.pprof"), sized(field("PprofProfile.profile"), message))

    def push(self, request, now):
        for series in every(check(request, "PushRequest"), field("PushRequest.series")):
            labels = {}
            for one in every(check(series, "RawProfileSeries"), field("RawProfileSeries.labels")):
                check(one, "LabelPair")
                labels[first(one, field("LabelPair.name"), b"").decode()] = first(
                    one, field("LabelPair.value"), b"").decode()
            for sample in every(series, field("RawProfileSeries.samples")):
                self.ingest(dict(labels), first(check(sample, "RawSample"), field("RawSample.raw_profile"), b""), 3600, now)
        return b""


def main():
    options = parse(arguments(texts=("tenant", "basic", "bearer", "forgets"), flags=("old", "new", "router", "page"),
                              numbers=(("limit", 86400), ("lookback", 0))), NUMBERS)
    store = Store(options)
    for labels, _, profile in loaded(options):
        store.ingest(labels, profile.write(), float("inf"), time.time())

    class Pyroscope(Handler):
        def do_GET(self):
            self.send(200, b"ready\n", "text/plain")

        def authorize(self):
            given = self.headers.get("Authorization", "")
            if options.basic and given != "Basic " + base64.b64encode(options.basic.encode()).decode():
                raise Refusal("unauthenticated", "invalid credentials")
            if options.bearer and given != "Bearer " + options.bearer:
                raise Refusal("unauthenticated", "invalid token")
            if options.tenant and self.headers.get("X-Scope-OrgID") != options.tenant:
                raise Refusal("unauthenticated", "no org id")

        def answer(self, request):
            method = self.path.rsplit("/", 1)[1]
            if self.headers.get("Content-Type") != "application/proto":
                raise Refusal("invalid_argument", "unexpected content type")
            if self.path.startswith("/querier.v1.QuerierService/"):
                if method == "SelectMergeProfile" and not options.new:
                    return store.merge(request, method)
                known = {"ProfileTypes": store.profile_types, "LabelNames": store.label_names, "Series": store.series,
                         "SelectMergeStacktraces": store.merge_stacktraces}
                if method in known:
                    return known[method](request)
            elif self.path == "/push.v1.PusherService/Push":
                return store.push(request, time.time())
            raise Refusal("unimplemented", f"{method} is not implemented")

        def do_POST(self):
            def said(body):
                try:
                    shown = [[n, v if isinstance(v, int) else v.decode("utf8", "replace")[:200]] for n, v in fields(body)]
                except ValueError as error:
                    shown = str(error)
                return {"tenant": self.headers.get("X-Scope-OrgID"), "fields": shown}

            request = self.take(said)
            if options.page:
                return self.send(200, b"<html>Log in</html>", "text/html")
            if options.router and self.path.endswith("/SelectMergeProfile"):
                return self.send(404, b"404 page not found\n", "text/plain")
            try:
                self.authorize()
                self.send(200, self.answer(request), "application/proto")
            except Refusal as refusal:
                body = json.dumps({"code": refusal.code, "message": str(refusal)}).encode()
                self.send(STATUS[refusal.code], body, "application/json")

    serve(Pyroscope, options)


main()
