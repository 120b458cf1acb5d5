"""Protocol buffers and pprof profiles for the stand-ins of stores, read and written field by field."""

import gzip
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from wire import number, sized, varint  # noqa: E402  (for those who import this, too)


def read_varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value & (1 << 64) - 1, at


def fields(data):
    """[(number, value)]: numbers, or bytes."""
    found, at = [], 0
    while at < len(data):
        tag, at = read_varint(data, at)
        kind = tag & 7
        if kind == 0:
            value, at = read_varint(data, at)
        elif kind == 2:
            size, at = read_varint(data, at)
            if at + size > len(data):
                raise ValueError("a field is cut")
            value, at = data[at:at + size], at + size
        elif kind in (1, 5):
            size = 8 if kind == 1 else 4
            value, at = int.from_bytes(data[at:at + size], "little"), at + size
        else:
            raise ValueError(f"wire type {kind}")
        found.append((tag >> 3, value))
    return found


def first(data, wanted, default=None):
    return next((value for number_, value in fields(data) if number_ == wanted), default)


def every(data, wanted):
    return [value for number_, value in fields(data) if number_ == wanted]


def signed(value):
    return value - (1 << 64) if value >= 1 << 63 else value


def numbers(values):
    """Packed or not."""
    found = []
    for value in values:
        if isinstance(value, int):
            found.append(value)
            continue
        at = 0
        while at < len(value):
            one, at = read_varint(value, at)
            found.append(one)
    return found


def save(path, data):
    """At once, since several requests may come at a time."""
    with tempfile.NamedTemporaryFile(dir=os.path.dirname(path), delete=False) as file:
        file.write(data)
    os.replace(file.name, path)


class Profile:
    """A pprof profile. A sample is (stack, labels, values): of a stack each location, leaf first, is
    (mapping, address, lines); a mapping (begin, end, offset, file, build ID, has functions), or None; a line
    (name, file, line); labels are ((key, text, number), ...)."""

    def __init__(self):
        self.types, self.samples, self.period_type, self.period = [], [], ("", ""), 0
        self.time = self.duration = 0

    @staticmethod
    def parse(data):
        if data[:2] == b"\x1f\x8b":
            data = gzip.decompress(data)
        if not data:
            raise ValueError("unexpected EOF")
        profile, all_fields = Profile(), fields(data)
        of = lambda wanted: [value for number_, value in all_fields if number_ == wanted]
        texts = [text.decode() for text in of(6)]
        if not texts or texts[0]:
            raise ValueError("the first text is not empty")
        text = lambda message, field: texts[first(message, field, 0)]
        pair = lambda message: (text(message, 1), text(message, 2))
        profile.types = [pair(one) for one in of(1)]
        functions = {first(one, 1): (text(one, 2), text(one, 4)) for one in of(5)}
        mappings = {first(one, 1): (first(one, 2, 0), first(one, 3, 0), first(one, 4, 0), text(one, 5), text(one, 6),
                                    first(one, 7, 0)) for one in of(3)}
        locations = {}
        for one in of(4):
            lines = tuple((*functions[first(line, 1)], first(line, 2, 0)) for line in every(one, 4))
            locations[first(one, 1)] = (mappings.get(first(one, 2, 0)), first(one, 3, 0), lines)
        for one in of(2):
            stack = tuple(locations[id_] for id_ in numbers(every(one, 1)))
            labels = tuple((text(label, 1), text(label, 2), first(label, 3, 0)) for label in every(one, 3))
            profile.samples.append((stack, labels, [signed(value) for value in numbers(every(one, 2))]))
        profile.period_type = pair(of(11)[0]) if of(11) else ("", "")
        profile.period, profile.time, profile.duration = [(of(field) or [0])[0] for field in (12, 9, 10)]
        return profile

    def write(self):
        texts, mappings, functions, locations = {"": 0}, {}, {}, {}
        text = lambda value: texts.setdefault(value, len(texts))
        id_of = lambda table, key: table.setdefault(key, len(table) + 1)
        message = b"".join(sized(1, number(1, text(kind)) + number(2, text(unit))) for kind, unit in self.types)
        for stack, labels, values in self.samples:
            ids = b"".join(varint(id_of(locations, location)) for location in stack)
            message += sized(2, sized(1, ids) + sized(2, b"".join(map(varint, values))) + b"".join(
                sized(3, number(1, text(key)) + (number(2, text(value)) if value else number(3, count)))
                for key, value, count in labels))
        for (mapping, address, lines), id_ in locations.items():
            message += sized(4, number(1, id_) + number(2, id_of(mappings, mapping) if mapping else 0) +
                             number(3, address) + b"".join(
                sized(4, number(1, id_of(functions, line[:2])) + number(2, line[2])) for line in lines))
        for (begin, end, offset, path, build_id, has_functions), id_ in mappings.items():
            message += sized(3, number(1, id_) + number(2, begin) + number(3, end) + number(4, offset) +
                             number(5, text(path)) + number(6, text(build_id)) + number(7, has_functions))
        for (name, path), id_ in functions.items():
            message += sized(5, number(1, id_) + number(2, text(name)) + number(3, text(name)) + number(4, text(path)))
        message += number(9, self.time) + number(10, self.duration)
        message += sized(11, number(1, text(self.period_type[0])) + number(2, text(self.period_type[1])))
        message += number(12, self.period)
        return message + b"".join(sized(6, value.encode()) for value in texts)

    def changed(self, change):
        """With change(location) in place of each location."""
        self.samples = [(tuple(change(location) for location in stack), labels, values)
                        for stack, labels, values in self.samples]
        return self


def merged(profiles):
    """Their samples, equal ones added up."""
    result, sums = Profile(), {}
    for profile in profiles:
        result.types, result.period_type, result.period = profile.types, profile.period_type, profile.period
        for stack, labels, values in profile.samples:
            sums[stack, labels] = [a + b for a, b in zip(values, sums.get((stack, labels), [0] * len(values)))]
    result.samples = [(stack, labels, values) for (stack, labels), values in sums.items()]
    return result


def parse_matchers(selector):
    """[(name, how, value)] of {a="b",c!="d",e=~"f",g!~"h"}. Quoted names, too."""
    text = selector.strip()
    if not (text.startswith("{") and text.endswith("}")):
        raise ValueError(f"failed to parse query: {selector}")
    text, at, matchers = text[1:-1], 0, []
    form = re.compile(r'\s*("(?:[^"\\]|\\.)*"|[A-Za-z_]\w*)\s*(=~|!~|!=|=)\s*"((?:[^"\\]|\\.)*)"\s*(,|$)')
    while at < len(text):
        found = form.match(text, at)
        if not found:
            raise ValueError(f"failed to parse query: {selector}")
        name, how, value, _ = found.groups()
        matchers.append((name.strip('"'), how, re.sub(r"\\(.)", lambda m: "\n" if m[1] == "n" else m[1], value)))
        at = found.end()
    return matchers


def matches(labels, matchers):
    """Do the labels fit all of them? A label that is not there is an empty one."""
    def fits(name, how, value):
        has = labels.get(name, "")
        return {"=": has == value, "!=": has != value, "=~": bool(re.fullmatch(value, has)),
                "!~": not re.fullmatch(value, has)}[how]

    return all(fits(*matcher) for matcher in matchers)
