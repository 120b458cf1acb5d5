#include "converters/gperftools/gperftools_cpu.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <optional>
#include <unordered_map>

namespace pgo {
namespace {

// Words of one size and order.
struct WordForm {
  size_t size = 8;
  bool is_big_endian = false;

  uint64_t read(const uint8_t* at) const {
    uint64_t word = 0;
    for (size_t i = 0; i < size; i++)
      word |= uint64_t{at[i]} << (8 * (is_big_endian ? size - 1 - i : i));
    return word;
  }
};

constexpr size_t kHeaderWords = 5;

// 0, 3, 0, the period, 0.
std::optional<WordForm> find_form(Bytes bytes) {
  for (size_t size : {size_t{8}, size_t{4}})
    for (bool is_big_endian : {false, true}) {
      WordForm form{size, is_big_endian};
      if (bytes.size() < kHeaderWords * size) continue;
      auto word = [&](size_t i) { return form.read(bytes.data() + i * size); };
      if (word(0) == 0 && word(1) == 3 && word(2) == 0 && word(3) > 0 && word(4) == 0) return form;
    }
  return std::nullopt;
}

struct Record {
  int64_t count = 0;
  std::vector<uint64_t> stack;
};

// Takes out the caller that nearly all records share next to the leaf: up to two, of the signal
// handler.
void drop_signal_frames(std::vector<Record>& records) {
  constexpr size_t kOneOf = 32;
  size_t needed = records.size() - records.size() / kOneOf;
  for (int round = 0; round < 2; round++) {
    std::map<uint64_t, size_t> seen;
    for (const Record& record : records)
      if (record.stack.size() > 1) seen[record.stack[1]]++;
    auto shared = std::find_if(seen.begin(), seen.end(),
                               [&](const auto& one) { return one.second >= needed; });
    if (shared == seen.end()) return;
    for (Record& record : records)
      if (record.stack.size() > 1 && record.stack[1] == shared->first)
        record.stack.erase(record.stack.begin() + 1);
  }
}

// The leaf comes from the signal, and again from unwinding, less the 1 that callers lose.
void drop_repeated_leaves(std::vector<Record>& records) {
  for (Record& record : records)
    if (record.stack.size() > 1 && record.stack[0] == record.stack[1] + 1)
      record.stack.erase(record.stack.begin() + 1);
}

// "55d0-55e0 r-xp 00001000 08:01 123  /bin/a", or nothing when the line is no mapping of code.
std::optional<StackMapping> parse_map_line(std::string_view line, StringTable& strings) {
  auto hex = [&](char until) -> std::optional<uint64_t> {
    uint64_t value = 0;
    auto [rest, error] = std::from_chars(line.data(), line.data() + line.size(), value, 16);
    if (error != std::errc() || rest == line.data() + line.size() || *rest != until)
      return std::nullopt;
    line.remove_prefix(static_cast<size_t>(rest - line.data()) + 1);
    return value;
  };
  auto word = [&] {
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    std::string_view taken = line.substr(0, line.find(' '));
    line.remove_prefix(taken.size());
    return taken;
  };
  std::optional<uint64_t> begin = hex('-');
  std::optional<uint64_t> end = begin ? hex(' ') : std::nullopt;
  std::string_view rights = end ? word() : "";
  if (!end || rights.size() != 4 || rights[2] != 'x') return std::nullopt;
  line.remove_prefix(std::min<size_t>(1, line.size()));
  std::optional<uint64_t> offset = hex(' ');
  if (!offset) return std::nullopt;
  word(), word();  // device and inode
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  StackMapping mapping;
  mapping.begin = RuntimeAddr{*begin};
  mapping.end = RuntimeAddr{*end};
  mapping.file_offset = FileOffset{*offset};
  mapping.filename = strings.add(line);
  return mapping;
}

bool is_program(std::string_view path) {
  return path.starts_with('/') && path.find(".so.") == std::string_view::npos &&
         !path.ends_with(".so");
}

class CpuProfileParser {
 public:
  CpuProfileParser(Bytes bytes, WordForm form, const std::string& name, Diagnostics& diagnostics)
      : bytes_(bytes), form_(form), name_(name), diagnostics_(diagnostics) {}

  Result<StackProfile> parse() {
    auto add = [&](const char* text) { return profile_.strings.add(text); };
    profile_.sample_types = {{add("samples"), add("count")}, {add("cpu"), add("nanoseconds")}};
    profile_.period_type = profile_.sample_types[1];
    constexpr uint64_t kMaxMicroseconds = 1'000'000'000;
    uint64_t period = form_.read(bytes_.data() + 3 * form_.size);
    if (period > kMaxMicroseconds)
      return failure(3 * form_.size, "a sampling period of " + std::to_string(period) +
                                         " microseconds; the limit is 1000 s");
    profile_.period = static_cast<int64_t>(period * 1000);
    PGO_CHECK(read_records());
    drop_signal_frames(records_);
    read_maps();
    lay_mappings();
    drop_repeated_leaves(records_);
    put_samples();
    return std::move(profile_);
  }

 private:
  struct Piece {
    uint64_t end = 0;
    MappingId mapping = kNoMapping;
  };

  Failure failure(size_t at, const std::string& what) const {
    return fail(ErrorKind::kInput,
                name_ + ": gperftools CPU profile: byte " + std::to_string(at) + ": " + what);
  }

  Result<void> read_records() {
    position_ = kHeaderWords * form_.size;
    while (position_ != bytes_.size()) {
      size_t left = (bytes_.size() - position_) / form_.size;
      if (left < 2) return failure(position_, "a record is cut short");
      uint64_t count = next(), frames = next();
      if (frames > left - 2)
        return failure(position_ - form_.size, "a stack of " + std::to_string(frames) +
                                                   " addresses, but only " +
                                                   std::to_string(left - 2) + " words are left");
      Record record{static_cast<int64_t>(count), {}};
      for (uint64_t i = 0; i < frames; i++) record.stack.push_back(next() - (i > 0 ? 1 : 0));
      if (count == 0 && frames == 1 && record.stack[0] == 0) return ok();
      constexpr uint64_t kMaxCount = uint64_t{1} << 53;
      if (count > kMaxCount) return failure(position_, "a count of " + std::to_string(count));
      records_.push_back(std::move(record));
    }
    diagnostics_.warn("no-trailer", name_ +
                                        ": gperftools CPU profile: does not end with its "
                                        "trailer; was the program stopped while it wrote?");
    return ok();
  }

  uint64_t next() {
    uint64_t word = form_.read(bytes_.data() + position_);
    position_ += form_.size;
    return word;
  }

  void read_maps() {
    std::string_view text = as_text(bytes_.subspan(position_));
    if (!text.empty() && text.back() != '\n')
      diagnostics_.warn("cut-short", name_ +
                                         ": gperftools CPU profile: the last line of its maps does "
                                         "not end with a newline: was the file cut short?");
    while (!text.empty()) {
      size_t end = text.find('\n');
      if (auto mapping = parse_map_line(text.substr(0, end), profile_.strings))
        profile_.mappings.push_back(*mapping);
      text = end == std::string_view::npos ? "" : text.substr(end + 1);
    }
    auto main = std::find_if(
        profile_.mappings.begin(), profile_.mappings.end(),
        [&](const StackMapping& mapping) { return is_program(profile_.text(mapping.filename)); });
    if (main != profile_.mappings.end()) std::iter_swap(profile_.mappings.begin(), main);
    if (profile_.mappings.empty())
      diagnostics_.warn("no-maps", name_ +
                                       ": gperftools CPU profile: has no list of mappings, so its "
                                       "addresses belong to no file");
  }

  void split(uint64_t at) {
    auto after = pieces_.upper_bound(at);
    if (after == pieces_.begin() || std::prev(after)->second.end <= at) return;
    Piece rest = std::prev(after)->second;
    std::prev(after)->second.end = at;
    pieces_[at] = rest;
  }

  // Where several mappings claim an address, the first is right: so it is laid last.
  void lay_mappings() {
    for (auto i = static_cast<uint32_t>(profile_.mappings.size()); i-- > 0;) {
      uint64_t begin = profile_.mappings[i].begin.value, end = profile_.mappings[i].end.value;
      if (begin >= end) continue;
      split(begin);
      split(end);
      pieces_.erase(pieces_.lower_bound(begin), pieces_.lower_bound(end));
      pieces_[begin] = {end, MappingId{i}};
    }
  }

  LocationId location(uint64_t address) {
    auto [at, is_new] = locations_.try_emplace(address);
    if (!is_new) return at->second;
    auto after = pieces_.upper_bound(address);
    bool inside = after != pieces_.begin() && address < std::prev(after)->second.end;
    MappingId found = inside ? std::prev(after)->second.mapping : kNoMapping;
    at->second = profile_.add_location({found, RuntimeAddr{address}, false}, {});
    return at->second;
  }

  bool is_outside(LocationId location) const {
    return profile_.locations[static_cast<size_t>(location)].mapping == kNoMapping;
  }

  void put_samples() {
    LabelsId none = profile_.add_labels({});
    std::vector<LocationId> frames;
    uint64_t outside = 0, stopped = 0;
    for (const Record& record : records_) {
      frames.clear();
      for (uint64_t address : record.stack) frames.push_back(location(address));
      if (std::any_of(frames.begin(), frames.end(), [&](LocationId at) { return is_outside(at); }))
        outside++;
      int64_t time = 0;
      if (__builtin_mul_overflow(record.count, profile_.period, &time)) {
        time = std::numeric_limits<int64_t>::max();
        stopped++;
      }
      profile_.add_sample({profile_.add_stack(frames), none}, {record.count, time});
    }
    if (stopped != 0)
      diagnostics_.warn("stopped-counts",
                        name_ + ": gperftools CPU profile: the time of " + std::to_string(stopped) +
                            " of " + std::to_string(records_.size()) +
                            " stacks does not fit 64 bits, and stops at 292 years: are the counts "
                            "damaged?");
    if (outside != 0 && !profile_.mappings.empty())
      diagnostics_.warn("outside-maps",
                        name_ + ": gperftools CPU profile: " + std::to_string(outside) + " of " +
                            std::to_string(records_.size()) +
                            " stacks have an address that its maps do not list: were the maps cut "
                            "short, or was a library unloaded?");
  }

  Bytes bytes_;
  WordForm form_;
  const std::string& name_;
  Diagnostics& diagnostics_;
  size_t position_ = 0;
  std::vector<Record> records_;
  StackProfile profile_;
  std::map<uint64_t, Piece> pieces_;  // of mappings, by begin; disjoint
  std::unordered_map<uint64_t, LocationId> locations_;
};

}  // namespace

bool is_gperftools_cpu(Bytes bytes) { return find_form(bytes).has_value(); }

Result<StackProfile> parse_gperftools_cpu(Bytes bytes, const std::string& name,
                                          Diagnostics& diagnostics) {
  std::optional<WordForm> form = find_form(bytes);
  if (!form)
    return fail(
        ErrorKind::kInput,
        name + ": gperftools CPU profile: does not begin with the words 0, 3, 0, a period, 0");
  return CpuProfileParser(bytes, *form, name, diagnostics).parse();
}

}  // namespace pgo
