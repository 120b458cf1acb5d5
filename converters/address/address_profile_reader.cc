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

// The numbers of one column, front to back, wherever in their table they are: a table of millions
// of rows is never in memory but as its bytes and as what becomes of it.
class ColumnCursor {
 public:
  ColumnCursor(Bytes table, uint64_t column)
      : at_(table.data()), end_(at_ + table.size()), column_(column) {}

  // 0 after the last. What is damaged was found before.
  uint64_t next() {
    while (packed_ == packed_end_) {
      if (at_ == end_) return 0;
      WireField field;
      const uint8_t* next_field = wire::read_field(at_, end_, field);
      if (next_field == nullptr) return 0;
      at_ = next_field;
      if (field.number != column_) continue;
      if (field.type == kVarint) return field.value;
      packed_ = field.bytes.data();
      packed_end_ = packed_ + field.bytes.size();
    }
    uint64_t number = 0;
    packed_ = wire::read_varint(packed_, packed_end_, number);
    return number;
  }
  uint64_t next_signed() { return unfold_sign(next()); }

 private:
  const uint8_t *at_, *end_;
  const uint8_t *packed_ = nullptr, *packed_end_ = nullptr;
  uint64_t column_;
};

// What address_profile_reader.h says of memory: a column's number takes a byte at least.
static_assert(sizeof(Trace) <= 4 * kMaxRowBytesPerByte);
static_assert(sizeof(Mispredict) <= 3 * kMaxRowBytesPerByte);
static_assert(sizeof(PcSample) <= 2 * kMaxRowBytesPerByte);  // files without `samples`
static_assert(sizeof(CallEdge) <= 3 * kMaxRowBytesPerByte);

constexpr size_t kMaxColumns = 5;

// The first field's number and size.
constexpr std::string_view kStart{"\x0a\x17", 2};
static_assert(kMagic.size() == 0x17);

bool is_message(std::string_view start) {
  return start.starts_with(kStart) && start.substr(kStart.size()).starts_with(kMagic);
}

class AddressProfileParser {
 public:
  AddressProfileParser(Bytes message, const std::string& name) : message_(message), name_(name) {}

  Result<AddressProfile> parse() {
    if (!is_message(as_text(message_))) return failed("does not begin with its magic");
    PGO_CHECK(each_field(message_, "", [&](const WireField& field) { return read_top(field); }));
    if (version_ == 0) return failed("has no version");
    if (version_ == kOldestVersion) make_dropped_pending();
    share_out_samples();
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
      case Top::kBinary:
        PGO_CHECK(take(field, "", part));
        PGO_CHECK(check_count(profile_.binaries.size(), "binaries"));
        return read_binary(part);
      case Top::kEvent:
        PGO_CHECK(take(field, "", part));
        PGO_CHECK(check_count(profile_.events.size(), "events"));
        return read_event(part);
      case Top::kSamples:
        PGO_CHECK(take(field, "", part));
        return read_accounting(part, "samples: ", profile_.samples);
      case Top::kBranches:
        PGO_CHECK(take(field, "", part));
        return read_accounting(part, "branches: ", profile_.branches);
      case Top::kLost: return take(field, "", profile_.lost);
      case Top::kOrigins: PGO_CHECK(take(field, "", part)); return read_origins(part);
    }
    return ok();
  }

  // Two bytes of a message can be one.
  Result<void> check_count(size_t so_far, const char* of_what) const {
    if (so_far < kAddressListLimit) return ok();
    return failed("has more than " + std::to_string(kAddressListLimit) + " " + of_what);
  }

  Result<void> read_version(const WireField& field) {
    PGO_CHECK(take(field, "", version_));
    if (version_ >= kOldestVersion && version_ <= kVersion) return ok();
    std::string text = name_ + ": address profile: is of version " + std::to_string(version_) +
                       " of this format, and versions " + std::to_string(kOldestVersion) + " to " +
                       std::to_string(kVersion) + " are supported";
    if (version_ < kOldestVersion) return fail(ErrorKind::kInput, text + ": is it damaged?");
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
            return failed(place + "a build ID of " + std::to_string(part.size()) + " bytes; " +
                          std::to_string(BuildId::kMaxSize) + " at most expected");
          binary.id = BuildId(part);
          break;
        case InBinary::kPath: binary.path_hint = as_text(part); break;
        case InBinary::kTraces: return read_traces(part, place + "traces: ", binary.traces);
        case InBinary::kMispredicts:
          return read_mispredicts(part, place + "mispredicts: ", binary.mispredicts);
        case InBinary::kPcSamples: return read_pc_samples(part, place + "pc samples: ", binary);
        case InBinary::kCalls: return read_calls(part, place + "calls: ", binary.calls);
      }
      return ok();
    };
    PGO_CHECK(each_field(message, place, on_field));
    profile_.binaries.push_back(std::move(binary));
    return ok();
  }

  struct TableShape {
    size_t rows = 0;
    bool has_last_column = false;
  };

  // The shape of a table, all of whose numbers can be read. Of its columns, those from `needed` on
  // may be missing: they are read as zeros.
  Result<TableShape> measure_table(Bytes table, const std::string& place, size_t columns,
                                   size_t needed) {
    std::array<size_t, kMaxColumns> rows{};
    auto on_field = [&](const WireField& field) -> Result<void> {
      if (field.number == 0 || field.number > columns) return ok();
      size_t& count = rows[field.number - 1];
      if (field.type == kVarint) {
        count++;
        return ok();
      }
      if (field.type != kSized) return wrong_type(field, place);
      return count_packed(field.bytes, place, count);
    };
    PGO_CHECK(each_field(table, place, on_field));
    for (size_t i = 1; i < columns; i++)
      if (rows[i] != rows[0] && (i < needed || rows[i] != 0))
        return failed(place + "column 1 has " + std::to_string(rows[0]) + " rows, column " +
                      std::to_string(i + 1) + " has " + std::to_string(rows[i]));
    return TableShape{rows[0], rows[columns - 1] != 0};
  }

  Result<void> count_packed(Bytes packed, const std::string& place, size_t& count) {
    const uint8_t* end = packed.data() + packed.size();
    for (const uint8_t* at = packed.data(); at != end; count++) {
      uint64_t number = 0;
      const uint8_t* next = wire::read_varint(at, end, number);
      if (next == nullptr)
        return failed(place + "a number is cut short, at byte " +
                      std::to_string(at - message_.data()));
      at = next;
    }
    return ok();
  }

  Result<void> read_traces(Bytes table, const std::string& place, std::vector<Trace>& traces) {
    PGO_TRY(TableShape shape, measure_table(table, place, 5, 4));
    ColumnCursor from(table, 1), to(table, 2), last(table, 3), count(table, 4), reading(table, 5);
    traces.reserve(shape.rows);
    uint64_t at = 0;
    for (size_t i = 0; i < shape.rows; i++) {
      at += from.next_signed();
      uint64_t target = at + to.next_signed();
      Trace trace;
      trace.from = ElfAddr{at};
      trace.to = ElfAddr{target};
      trace.last = ElfAddr{target + last.next_signed()};
      trace.count = count.next();
      if (!trace.from && !trace.to)
        return failed(place + "row " + std::to_string(i) +
                      " is outside of the binary at both ends");
      uint64_t read_by = reading.next();
      if (read_by > static_cast<uint64_t>(TraceReading::kBolt))
        return failed(place + "row " + std::to_string(i) + " has reading " +
                      std::to_string(read_by) + ", at most 2 expected");
      trace.reading = static_cast<TraceReading>(read_by);
      if (trace.count != 0) traces.push_back(trace);
    }
    return ok();
  }

  Result<void> read_mispredicts(Bytes table, const std::string& place,
                                std::vector<Mispredict>& mispredicts) {
    PGO_TRY(TableShape shape, measure_table(table, place, 3, 3));
    ColumnCursor from(table, 1), to(table, 2), count(table, 3);
    mispredicts.reserve(shape.rows);
    uint64_t at = 0;
    for (size_t i = 0; i < shape.rows; i++) {
      at += from.next_signed();
      Mispredict mispredict{ElfAddr{at}, ElfAddr{at + to.next_signed()}, count.next()};
      if (mispredict.count != 0) mispredicts.push_back(mispredict);
    }
    return ok();
  }

  Result<void> read_pc_samples(Bytes table, const std::string& place, BinaryCounts& binary) {
    PGO_TRY(TableShape shape, measure_table(table, place, 3, 2));
    ColumnCursor pc(table, 1), weight(table, 2), samples(table, 3);
    binary.pc_samples.reserve(shape.rows);
    uint64_t at = 0;
    for (size_t i = 0; i < shape.rows; i++) {
      at += pc.next_signed();
      PcSample sample{ElfAddr{at}, samples.next(), weight.next()};
      if (sample.weight != 0) binary.pc_samples.push_back(sample);
    }
    if (!shape.has_last_column) without_samples_.push_back(profile_.binaries.size());
    return ok();
  }

  // Version 1 counted PC samples as dropped.
  void make_dropped_pending() {
    Accounting& samples = profile_.samples;
    uint64_t& dropped = samples[Dropped::kWithoutStack];
    // The sum of both is a number of the file when it is written again.
    uint64_t room = ~uint64_t{0} - samples.used - samples.pending;
    samples.pending += std::min(dropped, room);
    dropped = 0;
  }

  // Older files hold the weights of PC samples, and only in all how many there are. Each row gets
  // its share by weight; what rounding takes from one row goes to a later one, so that the sum
  // holds.
  void share_out_samples() {
    __extension__ using Product = unsigned __int128;
    uint64_t all = profile_.samples.pending, whole = 0, weight = 0, given = 0;
    for (size_t binary : without_samples_)
      whole = saturating_add(whole, profile_.binaries[binary].pc_sample_weight());
    for (size_t binary : without_samples_)
      for (PcSample& sample : profile_.binaries[binary].pc_samples) {
        weight = saturating_add(weight, sample.weight);
        auto until = static_cast<uint64_t>(Product{all} * weight / whole);
        sample.samples = until - given;
        given = until;
      }
  }

  Result<void> read_calls(Bytes table, const std::string& place, std::vector<CallEdge>& calls) {
    PGO_TRY(TableShape shape, measure_table(table, place, 4, 3));
    ColumnCursor caller(table, 1), callee(table, 2), count(table, 3), is_leaf(table, 4);
    calls.reserve(shape.rows);
    uint64_t at = 0;
    for (size_t i = 0; i < shape.rows; i++) {
      at += caller.next_signed();
      CallEdge call;
      call.caller = ElfAddr{at};
      call.callee = ElfAddr{at + callee.next_signed()};
      call.count = count.next();
      call.is_leaf = is_leaf.next() != 0;
      if (call.count != 0) calls.push_back(call);
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
    uint64_t seen = 0, used = 0, pc_samples = 0, all = 0;
    auto on_field = [&](const WireField& field) -> Result<void> {
      Bytes part;
      switch (static_cast<InAccounting>(field.number)) {
        case InAccounting::kSeen: return take(field, place, seen);
        case InAccounting::kUsed: return take(field, place, used);
        case InAccounting::kPcSamples: return take(field, place, pc_samples);
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
    if (pc_samples > used)
      return failed(place + "has " + std::to_string(pc_samples) + " PC samples, but only " +
                    std::to_string(used) + " were used");
    // What was counted as used in the file waits again for what this file is read for.
    accounting.used = used - pc_samples;
    accounting.pending = pc_samples;
    accounting.seen = used;
    for (uint64_t count : accounting.dropped)
      accounting.seen = saturating_add(accounting.seen, count);
    return ok();
  }

  Result<void> read_origins(Bytes message) {
    const std::string place = "origins: ";
    Origins origins;
    uint64_t begin = 0, end = 0;
    auto on_field = [&](const WireField& field) -> Result<void> {
      Bytes part;
      switch (static_cast<InOrigins>(field.number)) {
        case InOrigins::kProfiles: return take(field, place, origins.profiles);
        case InOrigins::kBegin: return take(field, place, begin);
        case InOrigins::kEnd: return take(field, place, end);
        case InOrigins::kLabel:
          PGO_CHECK(take(field, place, part));
          return read_label(part, place, origins);
      }
      return ok();
    };
    PGO_CHECK(each_field(message, place, on_field));
    if (begin != 0 || end != 0)
      origins.window = {static_cast<int64_t>(unfold_sign(begin)),
                        static_cast<int64_t>(unfold_sign(end))};
    profile_.origins.add(origins);
    return ok();
  }

  // What is more than Origins keeps, or longer, is of another program, and left out.
  Result<void> read_label(Bytes message, const std::string& place, Origins& origins) {
    std::string key;
    Origins::Values values;
    auto on_field = [&](const WireField& field) -> Result<void> {
      Bytes part;
      switch (static_cast<InLabel>(field.number)) {
        case InLabel::kKey:
          PGO_CHECK(take(field, place, part));
          key = as_text(part);
          return ok();
        case InLabel::kProfiles: return take(field, place, values.profiles);
        case InLabel::kValue:
          PGO_CHECK(take(field, place, part));
          return read_value(part, place, values);
      }
      return ok();
    };
    PGO_CHECK(each_field(message, place, on_field));
    if (key.size() > Origins::kMaxText) return ok();
    Origins one;
    one.labels[key] = std::move(values);
    origins.add(one);
    return ok();
  }

  Result<void> read_value(Bytes message, const std::string& place, Origins::Values& values) {
    std::string text;
    uint64_t profiles = 0;
    auto on_field = [&](const WireField& field) -> Result<void> {
      Bytes part;
      switch (static_cast<InValue>(field.number)) {
        case InValue::kText:
          PGO_CHECK(take(field, place, part));
          text = as_text(part);
          return ok();
        case InValue::kProfiles: return take(field, place, profiles);
      }
      return ok();
    };
    PGO_CHECK(each_field(message, place, on_field));
    if (text.size() > Origins::kMaxText || values.of.size() == Origins::kMaxValues) return ok();
    uint64_t& sum = values.of[text];
    sum = saturating_add(sum, profiles);
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
      profile_.diagnostics.warn(
          "unknown-reason",
          name_ + ": " + place + std::to_string(count) +
              " were dropped for an unknown reason; they are left out of the figures");
    return ok();
  }

  Bytes message_;
  const std::string& name_;
  AddressProfile profile_;
  bool has_magic_ = false;
  uint64_t version_ = 0;                 // 0: not read yet
  std::vector<size_t> without_samples_;  // binaries whose PC samples lack that column
};

}  // namespace

bool is_address_profile(Bytes file) {
  return find_compression(file) != Compression::kGzip &&
         is_message(inflate_start(file, kStart.size() + kMagic.size()));
}

Result<AddressProfile> read_address_profile(Bytes file, const std::string& name, uint64_t limit) {
  PGO_TRY(InflatedBytes message,
          inflate(file, name, std::min(limit, max_plausible_message_size(file.size()))));
  return AddressProfileParser(message.bytes(), name).parse();
}

}  // namespace pgo
