#include "converters/preaggregated/preaggregated.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <tuple>

#include "pgo/base/line_fields.h"

namespace pgo {
namespace {

constexpr uint64_t kBranchOnly = ~uint64_t{0};  // a T record's <last> when nothing is known

auto branch_of(const Trace& trace) { return std::tie(trace.from, trace.to); }
auto branch_of(const Mispredict& branch) { return std::tie(branch.from, branch.to); }

class TextWriter {
 public:
  void letter(char c) { text_ += c; }
  void address(OptElfAddr addr) {
    if (!addr) {
      text_ += " X:0";
      return;
    }
    number((*addr).value, 16);
  }
  void count(uint64_t count) { number(std::min(count, kLargestBoltCount), 10); }
  void end_line() { text_ += '\n'; }
  std::string take() { return std::move(text_); }
  bool empty() const { return text_.empty(); }

 private:
  void number(uint64_t value, int base) {
    char digits[24];
    char* end = std::to_chars(digits, digits + sizeof digits, value, base).ptr;
    text_ += ' ';
    text_.append(digits, end);
  }

  std::string text_;
};

// Writes the traces [first, end) of one branch: T for each that says what ran next, and one B for
// the rest and the mispredictions.
void write_branch(const Trace* first, const Trace* end, uint64_t mispredicts, TextWriter& out) {
  bool seen = false;
  uint64_t alone = 0;
  for (const Trace* trace = first; trace != end;) {
    // kBoth and kBolt of one trace are neighbours.
    uint64_t count = 0;
    const Trace* next = trace;
    for (; next != end && next->last == trace->last; next++)
      if (next->reading != TraceReading::kLlvm) count = saturating_add(count, next->count);
    seen = seen || count > 0;
    if (!trace->last || !trace->to) {
      alone = saturating_add(alone, count);
    } else if (count > 0) {
      out.letter('T');
      out.address(trace->from);
      out.address(trace->to);
      out.address(trace->last);
      out.count(count);
      out.end_line();
    }
    trace = next;
  }
  if (!seen || (alone == 0 && mispredicts == 0)) return;
  out.letter('B');
  out.address(first->from);
  out.address(first->to);
  out.count(alone);
  out.count(mispredicts);
  out.end_line();
}

// The letters, and how many addresses and counts follow each.
struct RecordKind {
  char letter;
  unsigned addresses, counts;
};
constexpr RecordKind kKinds[] = {{'T', 3, 1}, {'R', 3, 1}, {'S', 1, 1}, {'E', 0, 0},
                                 {'B', 2, 2}, {'F', 2, 1}, {'f', 2, 1}, {'r', 2, 1}};

Result<RecordKind> read_kind(LineFields& fields) {
  constexpr std::string_view kWanted = "T, R, S, E, B, F, f or r";
  PGO_TRY(std::string_view field, fields.text(kWanted));
  for (const RecordKind& kind : kKinds)
    if (field.size() == 1 && field[0] == kind.letter) return kind;
  return fields.unexpected(kWanted, field);
}

class PreaggregatedParser {
 public:
  PreaggregatedParser(Bytes bytes, const std::string& name) : fields_(bytes, name) {}

  Result<PreaggregatedProfile> parse() {
    while (fields_.next_line()) PGO_CHECK(read_record());
    PGO_CHECK(fields_.whole());
    profile_.events.assign(events_.begin(), events_.end());
    profile_.counts.normalize();
    return std::move(profile_);
  }

  // One record of the first line; what is_preaggregated() asks.
  bool first_line_fits() { return fields_.next_line() && read_record().has_value(); }

 private:
  Result<void> read_record() {
    PGO_TRY(RecordKind kind, read_kind(fields_));
    profile_.records++;
    if (kind.letter == 'E') {
      PGO_TRY(std::string_view event, fields_.text("an event name"));
      events_.emplace(event);
      return fields_.end();
    }
    OptElfAddr addresses[3];
    uint64_t counts[2] = {0, 0};
    for (unsigned i = 0; i < kind.addresses; i++) {
      PGO_TRY(addresses[i], read_address());
    }
    for (unsigned i = 0; i < kind.counts; i++) {
      PGO_TRY(counts[i], fields_.decimal(i == 0 ? "a count" : "a count of mispredictions"));
    }
    PGO_CHECK(fields_.end());
    add(kind, addresses, counts);
    return ok();
  }

  Result<OptElfAddr> read_address() {
    PGO_TRY(std::string_view field, fields_.text("an address"));
    size_t colon = field.find(':');
    if (colon != std::string_view::npos) {
      std::string_view owner = field.substr(0, colon);
      PGO_TRY(uint64_t outside, fields_.to_hex(field.substr(colon + 1), "an address"));
      if (owner == "X") return OptElfAddr();
      PGO_CHECK(take_owner(owner));
      return inside(outside);
    }
    PGO_TRY(uint64_t value, fields_.to_hex(field, "an address"));
    return inside(value);
  }

  static OptElfAddr inside(uint64_t value) {
    return value == 0 || value == kBranchOnly ? OptElfAddr() : OptElfAddr(ElfAddr{value});
  }

  Result<void> take_owner(std::string_view owner) {
    auto id = BuildId::from_hex(owner);
    if (!id) return fields_.unexpected("X or a build ID before ':'", owner);
    BuildId& known = profile_.counts.id;
    if (!known.empty() && !known.matches(*id))
      return fields_.failure("build ID " + id->hex() + ", but an earlier line has " + known.hex() +
                             ": counts of one binary only are expected");
    if (known.empty()) known = *id;
    return ok();
  }

  void add(const RecordKind& kind, const OptElfAddr (&addresses)[3], const uint64_t (&counts)[2]) {
    BinaryCounts& into = profile_.counts;
    if (kind.letter == 'S') {
      if (!addresses[0])
        profile_.outside_samples = saturating_add(profile_.outside_samples, counts[0]);
      else if (counts[0] > 0)
        into.pc_samples.push_back({*addresses[0], counts[0], counts[0]});
      return;
    }
    Trace trace;
    trace.count = counts[0];
    if (kind.addresses == 3) {
      trace.from = addresses[0], trace.to = addresses[1], trace.last = addresses[2];
    } else if (kind.letter == 'B') {
      trace.from = addresses[0], trace.to = addresses[1];
      if (counts[1] > 0 && (trace.from || trace.to))
        into.mispredicts.push_back({trace.from, trace.to, counts[1]});
    } else {
      trace.to = addresses[0], trace.last = addresses[1];
      profile_.loose_fall_throughs = saturating_add(profile_.loose_fall_throughs, counts[0]);
    }
    if (!trace.to) trace.last = OptElfAddr();
    if (trace.count > 0 && (trace.from || trace.to)) into.traces.push_back(trace);
  }

  LineFields fields_;
  PreaggregatedProfile profile_;
  std::set<std::string, std::less<>> events_;
};

}  // namespace

Result<std::string> write_preaggregated(const BinaryCounts& counts) {
  TextWriter out;
  auto mispredict = counts.mispredicts.begin();
  const Trace* end = counts.traces.data() + counts.traces.size();
  for (const Trace* first = counts.traces.data(); first != end;) {
    const Trace* next = std::find_if(
        first, end, [&](const Trace& trace) { return branch_of(trace) != branch_of(*first); });
    while (mispredict != counts.mispredicts.end() && branch_of(*mispredict) < branch_of(*first))
      ++mispredict;
    bool matches =
        mispredict != counts.mispredicts.end() && branch_of(*mispredict) == branch_of(*first);
    if (first->from || first->to) write_branch(first, next, matches ? mispredict->count : 0, out);
    first = next;
  }
  if (out.empty())
    return fail(ErrorKind::kEmpty,
                "preagg: no branch record is left to write" +
                    (counts.path_hint.empty() ? "" : " for " + counts.path_hint) +
                    ": was it recorded with branch records (perf record -b)?");
  return out.take();
}

bool is_preaggregated(Bytes bytes) {
  // A line is far shorter than this.
  return PreaggregatedParser(bytes.first(std::min<size_t>(bytes.size(), 4096)), "")
      .first_line_fits();
}

Result<PreaggregatedProfile> parse_preaggregated(Bytes bytes, const std::string& name) {
  return PreaggregatedParser(bytes, name).parse();
}

}  // namespace pgo
