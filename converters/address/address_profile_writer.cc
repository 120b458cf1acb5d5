#include "converters/address/address_profile_writer.h"

#include <algorithm>
#include <array>

#include "converters/address/address_profile_layout.h"
#include "converters/address/address_profile_reader.h"
#include "pgo/base/wire_writer.h"
#include "pgo/base/zstd.h"

namespace pgo {
namespace {

using namespace address_wire;
using wire::WireWriter;

template <typename Field>
constexpr unsigned number(Field field) {
  return static_cast<unsigned>(field);
}

uint64_t value_of(ElfAddr addr) { return addr.value; }
uint64_t value_of(OptElfAddr addr) { return addr ? (*addr).value : ~uint64_t{0}; }

// A table: rows go in one by one, columns come out.
template <size_t kColumns>
class Table {
 public:
  // Addresses fill the first columns, then come numbers.
  template <size_t kAddresses, size_t kNumbers>
  void add(const std::array<uint64_t, kAddresses>& addresses,
           const std::array<uint64_t, kNumbers>& numbers) {
    static_assert(kAddresses + kNumbers == kColumns);
    uint64_t base = previous_;
    for (size_t i = 0; i < kAddresses; i++) {
      columns_[i].varint(fold_sign(addresses[i] - base));
      base = addresses[i];
    }
    previous_ = addresses[0];
    for (size_t i = 0; i < kNumbers; i++) columns_[kAddresses + i].varint(numbers[i]);
    // The last column of some tables is nearly always of zeros.
    has_flags_ = has_flags_ || numbers[kNumbers - 1] != 0;
  }

  enum class LastColumn { kNumbers, kFlags };
  void put(InBinary field, LastColumn last, WireWriter& out) const {
    if (columns_[0].view().empty()) return;
    WireWriter table;
    for (size_t i = 0; i < kColumns; i++)
      if (i + 1 < kColumns || last == LastColumn::kNumbers || has_flags_)
        table.bytes(static_cast<unsigned>(i + 1), columns_[i].view());
    out.bytes(number(field), table.view());
  }

 private:
  std::array<WireWriter, kColumns> columns_;
  uint64_t previous_ = 0;
  bool has_flags_ = false;
};

// Fields of texts are left out when they are empty, as those of numbers are when they are 0.
template <typename Field>
void put_text(Field field, std::string_view text, WireWriter& out) {
  if (!text.empty()) out.bytes(number(field), text);
}

std::string write_binary(const BinaryCounts& binary) {
  using Addresses2 = std::array<uint64_t, 2>;
  WireWriter out;
  put_text(InBinary::kBuildId, as_text(binary.id.bytes()), out);
  put_text(InBinary::kPath, binary.path_hint, out);
  Table<5> traces;
  for (const Trace& t : binary.traces)
    traces.add(std::array<uint64_t, 3>{value_of(t.from), value_of(t.to), value_of(t.last)},
               std::array<uint64_t, 2>{t.count, static_cast<uint64_t>(t.reading)});
  traces.put(InBinary::kTraces, Table<5>::LastColumn::kFlags, out);
  Table<3> mispredicts;
  for (const Mispredict& m : binary.mispredicts)
    mispredicts.add(Addresses2{value_of(m.from), value_of(m.to)}, std::array<uint64_t, 1>{m.count});
  mispredicts.put(InBinary::kMispredicts, Table<3>::LastColumn::kNumbers, out);
  Table<3> pc_samples;
  for (const PcSample& s : binary.pc_samples)
    pc_samples.add(std::array<uint64_t, 1>{value_of(s.pc)},
                   std::array<uint64_t, 2>{s.weight, s.samples});
  pc_samples.put(InBinary::kPcSamples, Table<3>::LastColumn::kNumbers, out);
  Table<4> calls;
  for (const CallEdge& c : binary.calls)
    calls.add(Addresses2{value_of(c.caller), value_of(c.callee)},
              std::array<uint64_t, 2>{c.count, c.is_leaf ? uint64_t{1} : uint64_t{0}});
  calls.put(InBinary::kCalls, Table<4>::LastColumn::kFlags, out);
  return out.take();
}

EventRecords records_of(const EventInfo& event) {
  switch (event.branch_records) {
    case BranchRecords::kNone: return EventRecords::kNone;
    case BranchRecords::kUnknown: break;
    case BranchRecords::kSome: return EventRecords::kSome;
  }
  return EventRecords::kUnknown;
}

std::string write_event(const EventInfo& event) {
  WireWriter out;
  put_text(InEvent::kName, event.name, out);
  out.number(number(InEvent::kSamples), event.samples);
  out.number(number(InEvent::kPeriod), event.period);
  out.number(number(InEvent::kIsFrequency), event.is_frequency);
  out.number(number(InEvent::kBranchRecords), static_cast<uint64_t>(records_of(event)));
  return out.take();
}

std::string write_accounting(const Accounting& accounting) {
  WireWriter out, drop;
  out.number(number(InAccounting::kSeen), accounting.seen);
  out.number(number(InAccounting::kUsed), saturating_add(accounting.used, accounting.pending));
  for (size_t i = 0; i < kDroppedCount; i++) {
    if (accounting.dropped[i] == 0) continue;
    drop.bytes(number(InDrop::kReason), dropped_name(static_cast<Dropped>(i)));
    drop.number(number(InDrop::kCount), accounting.dropped[i]);
    out.bytes(number(InAccounting::kDropped), drop.view());
    drop.clear();
  }
  out.number(number(InAccounting::kPcSamples), accounting.pending);
  return out.take();
}

// Empty when nothing is known.
std::string write_origins(const Origins& origins) {
  WireWriter out, label, value;
  out.number(number(InOrigins::kProfiles), origins.profiles);
  if (origins.window) {
    out.number(number(InOrigins::kBegin), fold_sign(static_cast<uint64_t>(origins.window->begin)));
    out.number(number(InOrigins::kEnd), fold_sign(static_cast<uint64_t>(origins.window->end)));
  }
  for (const auto& [key, values] : origins.labels) {
    label.clear();
    put_text(InLabel::kKey, key, label);
    label.number(number(InLabel::kProfiles), values.profiles);
    for (const auto& [text, profiles] : values.of) {
      value.clear();
      put_text(InValue::kText, text, value);
      value.number(number(InValue::kProfiles), profiles);
      label.bytes(number(InLabel::kValue), value.view());
    }
    out.bytes(number(InOrigins::kLabel), label.view());
  }
  return out.take();
}

}  // namespace

std::string write_address_message(const AddressProfile& profile) {
  WireWriter out;
  out.bytes(number(Top::kBegin), kMagic);
  out.number(number(Top::kFormat), kVersion);
  for (const BinaryCounts& binary : profile.binaries)
    out.bytes(number(Top::kBinary), write_binary(binary));
  for (const EventInfo& event : profile.events) out.bytes(number(Top::kEvent), write_event(event));
  out.bytes(number(Top::kSamples), write_accounting(profile.samples));
  out.bytes(number(Top::kBranches), write_accounting(profile.branches));
  out.number(number(Top::kLost), profile.lost);
  if (std::string origins = write_origins(profile.origins); !origins.empty())
    out.bytes(number(Top::kOrigins), origins);
  return out.take();
}

Result<std::string> write_address_profile(const AddressProfile& profile) {
  std::string message = write_address_message(profile);
  size_t entries = std::max(profile.binaries.size(), profile.events.size());
  if (message.size() > kAddressMessageLimit || entries > kAddressListLimit)
    return fail(ErrorKind::kUnsupported,
                "the address profile would have " + std::to_string(message.size()) + " bytes and " +
                    std::to_string(entries) + " binaries or events, and readers take " +
                    std::to_string(kAddressMessageLimit) + " and " +
                    std::to_string(kAddressListLimit) +
                    " at most; write one for each part of the inputs");
  PGO_TRY(std::string file, zstd(message));
  // What readers could not tell from a bomb stays as it is.
  return max_plausible_message_size(file.size()) < message.size() ? message : file;
}

}  // namespace pgo
