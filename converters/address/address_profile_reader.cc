#include "converters/address/address_profile_reader.h"

#include <algorithm>
#include <array>
#include <optional>

#include "converters/address/address_profile_layout.h"
#include "pgo/base/inflate.h"
#include "pgo/base/wire.h"

namespace pgo {
namespace {

using namespace address_wire;
using wire::kSized;
using wire::kVarint;
using wire::WireField;

template <size_t kColumns>
using Columns = std::array<std::vector<uint64_t>, kColumns>;

std::string_view as_text(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// The first field's number and size.
constexpr std::string_view kStart{"\x0a\x17", 2};
static_assert(kMagic.size() == 0x17);

bool is_message(std::string_view start) {
  return start.starts_with(kStart) && start.substr(kStart.size()).starts_with(kMagic);
}

class Parser {
 public:
  Parser(Bytes message, const std::string& name) : message_(message), name_(name) {}

  Result<AddressProfile> parse() {
    if (!is_message(as_text(message_))) return failed("does not begin with its magic");
    PGO_CHECK(each_field(message_, "", [&](const WireField& field) { return read_top(field); }));
    if (!has_version_) return failed("has no version");
    profile_.normalize(1);
    return std::move(profile_);
  }

 private:
  Failure failed(const std::string& what) const {
    return fail(ErrorKind::kInput, name_ + ": address profile: " + what);
  }

  // Calls on_field for each field of a message. `place`, "binary 2: ", is for errors.
  template <typename OnField>
  Result<void> each_field(Bytes message, const std::string& place, const OnField& on_field) {
    const uint8_t* end = message.data() + message.size();
    for (const uint8_t* at = message.data(); at != end;) {
      WireField field;
      const uint8_t* next = wire::read_field(at, end, field);
      if (next == nullptr)
        return failed(place + field.damage + ", at byte " + std::to_string(at - message_.data()));
      PGO_CHECK(on_field(field));
      at = next;
    }
    return ok();
  }

  Failure wrong_type(const WireField& field, const std::string& place) const {
    return failed(place + "field " + std::to_string(field.number) + " has wire type " +
                  std::to_string(field.type));
  }
  Result<void> take(const WireField& field, const std::string& place, uint64_t& number) const {
    if (field.type != kVarint) return wrong_type(field, place);
    number = field.value;
    return ok();
  }
  Result<void> take(const WireField& field, const std::string& place, Bytes& bytes) const {
    if (field.type != kSized) return wrong_type(field, place);
    bytes = field.bytes;
    return ok();
  }

  Result<void> read_top(const WireField& field) {
    Bytes part;
    switch (static_cast<Top>(field.number)) {
      case Top::kBegin:
        PGO_CHECK(take(field, "", part));
        if (has_magic_)
          return failed("a second one follows at byte " +
                        std::to_string(part.data() - kStart.size() - message_.data()) +
                        "; pgo merge makes one of several");
        has_magic_ = true;
        return ok();
      case Top::kFormat: return read_version(field);
      case Top::kBinary: PGO_CHECK(take(field, "", part)); return read_binary(part);
      case Top::kEvent: PGO_CHECK(take(field, "", part)); return read_event(part);
      case Top::kSamples:
        PGO_CHECK(take(field, "", part));
        return read_accounting(part, "samples: ", profile_.samples);
      case Top::kBranches:
        PGO_CHECK(take(field, "", part));
        return read_accounting(part, "branches: ", profile_.branches);
      case Top::kLost: return take(field, "", profile_.lost);
    }
    return ok();
  }

  Result<void> read_version(const WireField& field) {
    uint64_t version = 0;
    PGO_CHECK(take(field, "", version));
    has_version_ = true;
    if (version == kVersion) return ok();
    std::string text = name_ + ": address profile: is of version " + std::to_string(version) +
                       " of this format, and version " + std::to_string(kVersion) + " is read here";
    if (version < kVersion) return fail(ErrorKind::kInput, text + ": is it damaged?");
    return fail(ErrorKind::kUnsupported, text + "; use the pgo that wrote it, or a newer one");
  }

  Result<void> read_binary(Bytes message) {
    BinaryCounts binary;
    std::string place = "binary " + std::to_string(profile_.binaries.size()) + ": ";
    uint8_t tables = 0;  // seen before, one bit each
    auto on_field = [&](const WireField& field) -> Result<void> {
      if (field.number == 0 || field.number > static_cast<uint64_t>(InBinary::kCalls)) return ok();
      Bytes part;
      PGO_CHECK(take(field, place, part));
      InBinary what = static_cast<InBinary>(field.number);
      if (what >= InBinary::kTraces) {
        uint8_t bit = static_cast<uint8_t>(1u << field.number);
        if ((tables & bit) != 0)
          return failed(place + "field " + std::to_string(field.number) + " is there twice");
        tables |= bit;
      }
      switch (what) {
        case InBinary::kBuildId:
          if (part.size() > BuildId::kMaxSize)
            return failed(place + "a build id of " + std::to_string(part.size()) + " bytes; " +
                          std::to_string(BuildId::kMaxSize) + " at most expected");
          binary.id = BuildId(part);
          break;
        case InBinary::kPath: binary.path_hint = as_text(part); break;
        case InBinary::kTraces: return read_traces(part, place + "traces: ", binary.traces);
        case InBinary::kMispredicts:
          return read_mispredicts(part, place + "mispredicts: ", binary.mispredicts);
        case InBinary::kIps: return read_ips(part, place + "ips: ", binary.ips);
        case InBinary::kCalls: return read_calls(part, place + "calls: ", binary.calls);
      }
      return ok();
    };
    PGO_CHECK(each_field(message, place, on_field));
    profile_.binaries.push_back(std::move(binary));
    return ok();
  }

  // The columns of a table, of which those from `kNeeded` on may be missing: they are zeros then.
  template <size_t kColumns, size_t kNeeded = kColumns>
  Result<Columns<kColumns>> read_columns(Bytes table, const std::string& place) {
    Columns<kColumns> columns;
    auto on_field = [&](const WireField& field) -> Result<void> {
      if (field.number == 0 || field.number > kColumns) return ok();
      std::vector<uint64_t>& column = columns[field.number - 1];
      if (field.type == kVarint) {
        column.push_back(field.value);
        return ok();
      }
      if (field.type != kSized) return wrong_type(field, place);
      return read_packed(field.bytes, place, column);
    };
    PGO_CHECK(each_field(table, place, on_field));
    size_t rows = columns[0].size();
    for (size_t i = 1; i < kColumns; i++) {
      if (i >= kNeeded && columns[i].empty()) columns[i].resize(rows);
      if (columns[i].size() != rows)
        return failed(place + "column 1 has " + std::to_string(rows) + " rows, column " +
                      std::to_string(i + 1) + " has " + std::to_string(columns[i].size()));
    }
    return columns;
  }

  Result<void> read_packed(Bytes packed, const std::string& place, std::vector<uint64_t>& column) {
    // As many as there are bytes that end a number. (Reserving more than once would copy the
    // column each time.)
    if (column.empty())
      column.reserve(static_cast<size_t>(
          std::count_if(packed.begin(), packed.end(), [](uint8_t byte) { return byte < 0x80; })));
    const uint8_t* end = packed.data() + packed.size();
    for (const uint8_t* at = packed.data(); at != end;) {
      uint64_t value = 0;
      const uint8_t* next = wire::read_varint(at, end, value);
      if (next == nullptr)
        return failed(place + "a number is cut short, at byte " +
                      std::to_string(at - message_.data()));
      column.push_back(value);
      at = next;
    }
    return ok();
  }

  Result<void> read_traces(Bytes table, const std::string& place, std::vector<Trace>& traces) {
    PGO_TRY(auto columns, (read_columns<5, 4>(table, place)));
    auto& [from, to, last, count, reading] = columns;
    traces.reserve(from.size());
    uint64_t at = 0;
    for (size_t i = 0; i < from.size(); i++) {
      at += unfold_sign(from[i]);
      uint64_t target = at + unfold_sign(to[i]);
      Trace trace;
      trace.from = ElfAddr{at};
      trace.to = ElfAddr{target};
      trace.last = ElfAddr{target + unfold_sign(last[i])};
      trace.count = count[i];
      if (!trace.from && !trace.to)
        return failed(place + "row " + std::to_string(i) +
                      " is outside of the binary at both ends");
      if (reading[i] > static_cast<uint64_t>(TraceReading::kBolt))
        return failed(place + "row " + std::to_string(i) + " has reading " +
                      std::to_string(reading[i]) + ", at most 2 expected");
      trace.reading = static_cast<TraceReading>(reading[i]);
      if (trace.count != 0) traces.push_back(trace);
    }
    return ok();
  }

  Result<void> read_mispredicts(Bytes table, const std::string& place,
                                std::vector<Mispredict>& mispredicts) {
    PGO_TRY(auto columns, read_columns<3>(table, place));
    auto& [from, to, count] = columns;
    mispredicts.reserve(from.size());
    uint64_t at = 0;
    for (size_t i = 0; i < from.size(); i++) {
      at += unfold_sign(from[i]);
      if (count[i] != 0)
        mispredicts.push_back({ElfAddr{at}, ElfAddr{at + unfold_sign(to[i])}, count[i]});
    }
    return ok();
  }

  Result<void> read_ips(Bytes table, const std::string& place, std::vector<IpCount>& ips) {
    PGO_TRY(auto columns, read_columns<2>(table, place));
    auto& [ip, count] = columns;
    ips.reserve(ip.size());
    uint64_t at = 0;
    for (size_t i = 0; i < ip.size(); i++) {
      at += unfold_sign(ip[i]);
      if (count[i] != 0) ips.push_back({ElfAddr{at}, count[i]});
    }
    return ok();
  }

  Result<void> read_calls(Bytes table, const std::string& place, std::vector<CallEdge>& calls) {
    PGO_TRY(auto columns, (read_columns<4, 3>(table, place)));
    auto& [caller, callee, count, is_leaf] = columns;
    calls.reserve(caller.size());
    uint64_t at = 0;
    for (size_t i = 0; i < caller.size(); i++) {
      at += unfold_sign(caller[i]);
      if (count[i] != 0)
        calls.push_back(
            {ElfAddr{at}, ElfAddr{at + unfold_sign(callee[i])}, is_leaf[i] != 0, count[i]});
    }
    return ok();
  }

  Result<void> read_event(Bytes message) {
    EventInfo event;
    std::string place = "event " + std::to_string(profile_.events.size()) + ": ";
    auto on_field = [&](const WireField& field) -> Result<void> {
      Bytes text;
      uint64_t flag = 0;
      switch (static_cast<InEvent>(field.number)) {
        case InEvent::kName:
          PGO_CHECK(take(field, place, text));
          event.name = as_text(text);
          return ok();
        case InEvent::kSamples: return take(field, place, event.samples);
        case InEvent::kPeriod: return take(field, place, event.period);
        case InEvent::kIsFrequency:
          PGO_CHECK(take(field, place, flag));
          event.is_frequency = flag != 0;
          return ok();
      }
      return ok();
    };
    PGO_CHECK(each_field(message, place, on_field));
    profile_.events.push_back(std::move(event));
    return ok();
  }

  Result<void> read_accounting(Bytes message, const std::string& place, Accounting& accounting) {
    uint64_t seen = 0, used = 0, all = 0;
    auto on_field = [&](const WireField& field) -> Result<void> {
      Bytes part;
      switch (static_cast<InAccounting>(field.number)) {
        case InAccounting::kSeen: return take(field, place, seen);
        case InAccounting::kUsed: return take(field, place, used);
        case InAccounting::kDropped:
          PGO_CHECK(take(field, place, part));
          return read_drop(part, place, accounting, all);
      }
      return ok();
    };
    PGO_CHECK(each_field(message, place, on_field));
    all = saturating_add(all, used);
    if (seen != all)
      return failed(place + "seen " + std::to_string(seen) + ", but used and dropped add up to " +
                    std::to_string(all));
    accounting.used = used;
    accounting.seen = used;
    for (uint64_t count : accounting.dropped)
      accounting.seen = saturating_add(accounting.seen, count);
    return ok();
  }

  // `all` is the sum of what was dropped for whatever reason.
  Result<void> read_drop(Bytes message, const std::string& place, Accounting& accounting,
                         uint64_t& all) {
    Bytes reason;
    uint64_t count = 0;
    auto on_field = [&](const WireField& field) -> Result<void> {
      if (field.number == static_cast<uint64_t>(InDrop::kReason)) return take(field, place, reason);
      if (field.number == static_cast<uint64_t>(InDrop::kCount)) return take(field, place, count);
      return ok();
    };
    PGO_CHECK(each_field(message, place, on_field));
    all = saturating_add(all, count);
    std::optional<Dropped> known = find_dropped(as_text(reason));
    if (known)
      accounting[*known] = saturating_add(accounting[*known], count);
    else
      profile_.diagnostics.warn("unknown-reason",
                                name_ + ": " + place + std::to_string(count) +
                                    " were dropped for a reason that is not known here; they are "
                                    "left out of the figures");
    return ok();
  }

  Bytes message_;
  const std::string& name_;
  AddressProfile profile_;
  bool has_magic_ = false, has_version_ = false;
};

}  // namespace

bool is_address_profile(Bytes file) {
  return is_message(inflate_start(file, kStart.size() + kMagic.size()));
}

Result<AddressProfile> read_address_profile(Bytes file, const std::string& name, uint64_t limit) {
  PGO_TRY(InflatedBytes message, inflate(file, name, limit));
  return Parser(message.bytes(), name).parse();
}

}  // namespace pgo
