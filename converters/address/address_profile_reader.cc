#include "converters/address/address_profile_reader.h"

#include <algorithm>
#include <optional>

#include "converters/address/address_fields.h"
#include "converters/address/address_profile_layout.h"
#include "converters/address/address_tables.h"
#include "pgo/base/inflate.h"
#include "pgo/base/wire.h"

namespace pgo {
namespace {

using namespace address_wire;
using wire::WireField;

// The first field's number and size.
constexpr std::string_view kStart{"\x0a\x17", 2};
static_assert(kMagic.size() == 0x17);

bool is_message(std::string_view start) {
  return start.starts_with(kStart) && start.substr(kStart.size()).starts_with(kMagic);
}

class AddressProfileParser {
 public:
  AddressProfileParser(Bytes message, const std::string& name)
      : message_(message), fields_(message, name) {}

  Result<AddressProfile> parse() {
    if (!is_message(as_text(message_))) return fields_.failed("does not begin with its magic");
    PGO_CHECK(fields_.each(message_, "", [&](const WireField& field) { return read_top(field); }));
    if (version_ == 0) return fields_.failed("has no version");
    if (version_ == kOldestVersion) make_dropped_pending();
    share_out_samples();
    if (!profile_.has_traces()) make_unknown_records_none();
    profile_.normalize(1);
    return std::move(profile_);
  }

 private:
  Result<void> read_top(const WireField& field) {
    Bytes part;
    switch (static_cast<Top>(field.number)) {
      case Top::kBegin:
        PGO_CHECK(fields_.take(field, "", part));
        if (has_magic_)
          return fields_.failed("a second one follows at byte " +
                                std::to_string(fields_.offset_of(part.data()) - kStart.size()) +
                                "; pgo merge makes one of several");
        has_magic_ = true;
        return ok();
      case Top::kFormat: return read_version(field);
      case Top::kBinary:
        PGO_CHECK(fields_.take(field, "", part));
        PGO_CHECK(check_count(profile_.binaries.size(), "binaries"));
        return read_binary(part);
      case Top::kEvent:
        PGO_CHECK(fields_.take(field, "", part));
        PGO_CHECK(check_count(profile_.events.size(), "events"));
        return read_event(part);
      case Top::kSamples:
        PGO_CHECK(fields_.take(field, "", part));
        return read_accounting(part, "samples: ", profile_.samples);
      case Top::kBranches:
        PGO_CHECK(fields_.take(field, "", part));
        return read_accounting(part, "branches: ", profile_.branches);
      case Top::kLost: return fields_.take(field, "", profile_.lost);
      case Top::kOrigins: PGO_CHECK(fields_.take(field, "", part)); return read_origins(part);
    }
    return ok();
  }

  // Two bytes of a message can be one.
  Result<void> check_count(size_t so_far, const char* of_what) const {
    if (so_far < kAddressListLimit) return ok();
    return fields_.failed("has more than " + std::to_string(kAddressListLimit) + " " + of_what);
  }

  Result<void> read_version(const WireField& field) {
    PGO_CHECK(fields_.take(field, "", version_));
    if (version_ >= kOldestVersion && version_ <= kVersion) return ok();
    std::string text = fields_.name() + ": address profile: is of version " +
                       std::to_string(version_) + " of this format, and versions " +
                       std::to_string(kOldestVersion) + " to " + std::to_string(kVersion) +
                       " are supported";
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
      PGO_CHECK(fields_.take(field, place, part));
      InBinary what = static_cast<InBinary>(field.number);
      if (what >= InBinary::kTraces) {
        uint8_t bit = static_cast<uint8_t>(1u << field.number);
        if ((tables & bit) != 0)
          return fields_.failed(place + "field " + std::to_string(field.number) +
                                " is there twice");
        tables |= bit;
      }
      switch (what) {
        case InBinary::kBuildId:
          if (part.size() > BuildId::kMaxSize)
            return fields_.failed(place + "a build ID of " + std::to_string(part.size()) +
                                  " bytes; " + std::to_string(BuildId::kMaxSize) +
                                  " at most expected");
          binary.id = BuildId(part);
          break;
        case InBinary::kPath: binary.path_hint = as_text(part); break;
        case InBinary::kTraces: {
          PGO_TRY(binary.traces, read_traces(fields_, part, place + "traces: "));
          break;
        }
        case InBinary::kMispredicts: {
          PGO_TRY(binary.mispredicts, read_mispredicts(fields_, part, place + "mispredicts: "));
          break;
        }
        case InBinary::kPcSamples: {
          PGO_TRY(PcSampleTable table, read_pc_samples(fields_, part, place + "pc samples: "));
          binary.pc_samples = std::move(table.rows);
          if (!table.has_samples) without_samples_.push_back(profile_.binaries.size());
          break;
        }
        case InBinary::kCalls: {
          PGO_TRY(binary.calls, read_calls(fields_, part, place + "calls: "));
          break;
        }
      }
      return ok();
    };
    PGO_CHECK(fields_.each(message, place, on_field));
    profile_.binaries.push_back(std::move(binary));
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

  // Earlier versions did not write whether events have branch records.
  void make_unknown_records_none() {
    for (EventInfo& event : profile_.events)
      if (event.branch_records == BranchRecords::kUnknown)
        event.branch_records = BranchRecords::kNone;
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

  Result<void> read_event(Bytes message) {
    EventInfo event;
    std::string place = "event " + std::to_string(profile_.events.size()) + ": ";
    auto on_field = [&](const WireField& field) -> Result<void> {
      Bytes text;
      uint64_t flag = 0, records = 0;
      switch (static_cast<InEvent>(field.number)) {
        case InEvent::kName:
          PGO_CHECK(fields_.take(field, place, text));
          event.name = as_text(text);
          return ok();
        case InEvent::kSamples: return fields_.take(field, place, event.samples);
        case InEvent::kPeriod: return fields_.take(field, place, event.period);
        case InEvent::kIsFrequency:
          PGO_CHECK(fields_.take(field, place, flag));
          event.is_frequency = flag != 0;
          return ok();
        case InEvent::kBranchRecords:
          PGO_CHECK(fields_.take(field, place, records));
          if (records == static_cast<uint64_t>(EventRecords::kNone))
            event.branch_records = BranchRecords::kNone;
          else if (records == static_cast<uint64_t>(EventRecords::kSome))
            event.branch_records = BranchRecords::kSome;
          return ok();
      }
      return ok();
    };
    PGO_CHECK(fields_.each(message, place, on_field));
    profile_.events.push_back(std::move(event));
    return ok();
  }

  Result<void> read_accounting(Bytes message, const std::string& place, Accounting& accounting) {
    uint64_t seen = 0, used = 0, pc_samples = 0, all = 0;
    auto on_field = [&](const WireField& field) -> Result<void> {
      Bytes part;
      switch (static_cast<InAccounting>(field.number)) {
        case InAccounting::kSeen: return fields_.take(field, place, seen);
        case InAccounting::kUsed: return fields_.take(field, place, used);
        case InAccounting::kPcSamples: return fields_.take(field, place, pc_samples);
        case InAccounting::kDropped:
          PGO_CHECK(fields_.take(field, place, part));
          return read_drop(part, place, accounting, all);
      }
      return ok();
    };
    PGO_CHECK(fields_.each(message, place, on_field));
    all = saturating_add(all, used);
    if (seen != all)
      return fields_.failed(place + "seen " + std::to_string(seen) +
                            ", but used and dropped add up to " + std::to_string(all));
    if (pc_samples > used)
      return fields_.failed(place + "has " + std::to_string(pc_samples) + " PC samples, but only " +
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
        case InOrigins::kProfiles: return fields_.take(field, place, origins.profiles);
        case InOrigins::kBegin: return fields_.take(field, place, begin);
        case InOrigins::kEnd: return fields_.take(field, place, end);
        case InOrigins::kLabel:
          PGO_CHECK(fields_.take(field, place, part));
          return read_label(part, place, origins);
      }
      return ok();
    };
    PGO_CHECK(fields_.each(message, place, on_field));
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
          PGO_CHECK(fields_.take(field, place, part));
          key = as_text(part);
          return ok();
        case InLabel::kProfiles: return fields_.take(field, place, values.profiles);
        case InLabel::kValue:
          PGO_CHECK(fields_.take(field, place, part));
          return read_value(part, place, values);
      }
      return ok();
    };
    PGO_CHECK(fields_.each(message, place, on_field));
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
          PGO_CHECK(fields_.take(field, place, part));
          text = as_text(part);
          return ok();
        case InValue::kProfiles: return fields_.take(field, place, profiles);
      }
      return ok();
    };
    PGO_CHECK(fields_.each(message, place, on_field));
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
      if (field.number == static_cast<uint64_t>(InDrop::kReason))
        return fields_.take(field, place, reason);
      if (field.number == static_cast<uint64_t>(InDrop::kCount))
        return fields_.take(field, place, count);
      return ok();
    };
    PGO_CHECK(fields_.each(message, place, on_field));
    all = saturating_add(all, count);
    std::optional<Dropped> known = find_dropped(as_text(reason));
    if (known)
      accounting[*known] = saturating_add(accounting[*known], count);
    else
      profile_.diagnostics.warn(
          "unknown-reason",
          fields_.name() + ": " + place + std::to_string(count) +
              " were dropped for an unknown reason; they are left out of the figures");
    return ok();
  }

  Bytes message_;
  AddressFields fields_;
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
