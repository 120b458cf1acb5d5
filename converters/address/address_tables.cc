#include "converters/address/address_tables.h"

#include <array>
#include <bit>
#include <optional>

#include "converters/address/address_profile_layout.h"
#include "converters/address/address_profile_reader.h"
#include "pgo/base/wire.h"

namespace pgo {
namespace {

using address_wire::unfold_sign;
using wire::WireField;

// The numbers of one column, front to back, wherever in their table they are.
class ColumnCursor {
 public:
  ColumnCursor(Bytes table, uint64_t column)
      : at_(table.data()), end_(at_ + table.size()), column_(column) {}

  // 0 after the last. What is damaged was found before.
  uint64_t next() {
    if (packed_ != packed_end_ && *packed_ < 0x80) return *packed_++;  // most are that small
    while (packed_ == packed_end_) {
      if (at_ == end_) return 0;
      WireField field;
      const uint8_t* next_field = wire::read_field(at_, end_, field);
      if (next_field == nullptr) return 0;
      at_ = next_field;
      if (field.number != column_) continue;
      if (field.type == wire::kVarint) return field.value;
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

// How many numbers there are, when all can be read: each ends within kMaxVarint bytes, in one
// without the top bit. Eight bytes at a time.
std::optional<size_t> count_sound(Bytes packed) {
  constexpr uint64_t kTopBits = 0x8080808080808080, kOnes = 0x0101010101010101;
  constexpr size_t kMaxVarint = 10, kWord = sizeof(uint64_t);
  size_t count = 0, unfinished = 0;  // bytes of the number that goes on
  size_t at = 0;
  for (; at + kWord <= packed.size(); at += kWord) {
    const uint64_t ends = ~load_le<uint64_t>(packed.data() + at) & kTopBits;
    if (unfinished + static_cast<size_t>(std::countr_zero(ends)) / kWord >= kMaxVarint)
      return std::nullopt;
    count += (ends >> 7) * kOnes >> 56;  // how many top bits there are: without a call for it
    unfinished =
        ends == 0 ? unfinished + kWord : static_cast<size_t>(std::countl_zero(ends)) / kWord;
  }
  for (; at < packed.size(); at++) {
    if (packed[at] >= 0x80) {
      unfinished++;
    } else {
      if (unfinished >= kMaxVarint) return std::nullopt;
      count++;
      unfinished = 0;
    }
  }
  return unfinished == 0 ? std::optional(count) : std::nullopt;
}

Result<void> count_packed(const AddressFields& fields, Bytes packed, const std::string& place,
                          size_t& count) {
  if (const std::optional<size_t> sound = count_sound(packed)) {
    count += *sound;
    return ok();
  }
  // Which one is damaged?
  const uint8_t* end = packed.data() + packed.size();
  for (const uint8_t* at = packed.data(); at != end; count++) {
    uint64_t number = 0;
    const uint8_t* next = wire::read_varint(at, end, number);
    if (next == nullptr)
      return fields.failed(place + "a number is cut short, at byte " +
                           std::to_string(fields.offset_of(at)));
    at = next;
  }
  return ok();
}

struct TableShape {
  size_t rows = 0;
  bool has_last_column = false;
};

// The shape of a table, all of whose numbers can be read. Of its columns, those from `needed` on
// may be missing: they are read as zeros.
Result<TableShape> measure_table(const AddressFields& fields, Bytes table, const std::string& place,
                                 size_t columns, size_t needed) {
  std::array<size_t, kMaxColumns> rows{};
  auto on_field = [&](const WireField& field) -> Result<void> {
    if (field.number == 0 || field.number > columns) return ok();
    size_t& count = rows[field.number - 1];
    if (field.type == wire::kVarint) {
      count++;
      return ok();
    }
    if (field.type != wire::kSized) return fields.wrong_type(field, place);
    return count_packed(fields, field.bytes, place, count);
  };
  PGO_CHECK(fields.each(table, place, on_field));
  for (size_t i = 1; i < columns; i++)
    if (rows[i] != rows[0] && (i < needed || rows[i] != 0))
      return fields.failed(place + "column 1 has " + std::to_string(rows[0]) + " rows, column " +
                           std::to_string(i + 1) + " has " + std::to_string(rows[i]));
  return TableShape{rows[0], rows[columns - 1] != 0};
}

}  // namespace

Result<std::vector<Trace>> read_traces(const AddressFields& fields, Bytes table,
                                       const std::string& place) {
  PGO_TRY(TableShape shape, measure_table(fields, table, place, 5, 4));
  ColumnCursor from(table, 1), to(table, 2), last(table, 3), count(table, 4), reading(table, 5);
  std::vector<Trace> traces;
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
      return fields.failed(place + "row " + std::to_string(i) +
                           " is outside of the binary at both ends");
    uint64_t read_by = reading.next();
    if (read_by > static_cast<uint64_t>(TraceReading::kBolt))
      return fields.failed(place + "row " + std::to_string(i) + " has reading " +
                           std::to_string(read_by) + ", at most 2 expected");
    trace.reading = static_cast<TraceReading>(read_by);
    if (trace.count != 0) traces.push_back(trace);
  }
  return traces;
}

Result<std::vector<Mispredict>> read_mispredicts(const AddressFields& fields, Bytes table,
                                                 const std::string& place) {
  PGO_TRY(TableShape shape, measure_table(fields, table, place, 3, 3));
  ColumnCursor from(table, 1), to(table, 2), count(table, 3);
  std::vector<Mispredict> mispredicts;
  mispredicts.reserve(shape.rows);
  uint64_t at = 0;
  for (size_t i = 0; i < shape.rows; i++) {
    at += from.next_signed();
    Mispredict mispredict{ElfAddr{at}, ElfAddr{at + to.next_signed()}, count.next()};
    if (mispredict.count != 0) mispredicts.push_back(mispredict);
  }
  return mispredicts;
}

Result<PcSampleTable> read_pc_samples(const AddressFields& fields, Bytes table,
                                      const std::string& place) {
  PGO_TRY(TableShape shape, measure_table(fields, table, place, 3, 2));
  ColumnCursor pc(table, 1), weight(table, 2), samples(table, 3);
  PcSampleTable result;
  result.has_samples = shape.has_last_column;
  result.rows.reserve(shape.rows);
  uint64_t at = 0;
  for (size_t i = 0; i < shape.rows; i++) {
    at += pc.next_signed();
    PcSample sample{ElfAddr{at}, samples.next(), weight.next()};
    if (sample.weight != 0) result.rows.push_back(sample);
  }
  return result;
}

Result<std::vector<CallEdge>> read_calls(const AddressFields& fields, Bytes table,
                                         const std::string& place) {
  PGO_TRY(TableShape shape, measure_table(fields, table, place, 4, 3));
  ColumnCursor caller(table, 1), callee(table, 2), count(table, 3), is_leaf(table, 4);
  std::vector<CallEdge> calls;
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
  return calls;
}

}  // namespace pgo
