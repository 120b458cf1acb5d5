#include "converters/folded/folded.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <optional>
#include <vector>

#include "pgo/base/file_name.h"
#include "pgo/base/hash.h"
#include "pgo/base/text_start.h"
#include "pgo/profile/interner.h"
#include "pgo/profile/stack_selection.h"

namespace pgo {
namespace {

// Counts are read as what a StackProfile holds. No number of values overflows their sum.
constexpr int64_t kMaxCount = std::numeric_limits<int64_t>::max();
constexpr int64_t kLeastCount = std::numeric_limits<int64_t>::min();
__extension__ using WideSum = __int128;

struct FoldedLine {
  std::string_view stack;
  int64_t count = 0;
};

// Digits, and perhaps a fraction.
std::optional<int64_t> parse_count(std::string_view text) {
  uint64_t whole = 0;
  const char *begin = text.data(), *end = begin + text.size();
  auto [rest, error] = std::from_chars(begin, end, whole);
  constexpr uint64_t kMax = kMaxCount;
  if (error != std::errc() || whole > kMax) return std::nullopt;
  if (rest != end && *rest == '.') {
    if (++rest != end && *rest >= '5' && *rest <= '9' && whole < kMax) whole++;
    while (rest != end && *rest >= '0' && *rest <= '9') rest++;
  }
  if (rest != end) return std::nullopt;
  return static_cast<int64_t>(whole);
}

std::optional<FoldedLine> split_line(std::string_view line) {
  size_t space = line.find_last_of(" \t");
  if (space == std::string_view::npos) return std::nullopt;
  std::optional<int64_t> count = parse_count(line.substr(space + 1));
  if (!count) return std::nullopt;
  size_t last = line.find_last_not_of(" \t", space);
  return FoldedLine{line.substr(0, last == std::string_view::npos ? 0 : last + 1), *count};
}

// Calls on_line(line, number) for each that is not empty, until it returns false.
template <typename OnLine>
bool each_line(Bytes bytes, const OnLine& on_line) {
  std::string_view text = as_text(bytes);
  for (uint64_t number = 1; !text.empty(); number++) {
    size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text = end == std::string_view::npos ? "" : text.substr(end + 1);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (line.empty()) continue;
    if (!on_line(line, number)) return false;
  }
  return true;
}

class FoldedParser {
 public:
  FoldedParser() {
    profile_.sample_types = {{profile_.strings.add("samples"), profile_.strings.add("count")}};
    no_labels_ = profile_.add_labels({});
  }

  void add(const FoldedLine& line) {
    frames_.clear();
    for (size_t end = line.stack.size();;) {
      size_t semicolon = end == 0 ? std::string_view::npos : line.stack.rfind(';', end - 1);
      size_t begin = semicolon == std::string_view::npos ? 0 : semicolon + 1;
      if (end > begin) frames_.push_back(frame(line.stack.substr(begin, end - begin)));
      if (semicolon == std::string_view::npos) break;
      end = semicolon;
    }
    profile_.add_sample({profile_.add_stack(frames_), no_labels_}, {line.count});
  }
  StackProfile take() { return std::move(profile_); }

 private:
  // Each name is one function and one location.
  LocationId frame(std::string_view name) {
    return LocationId{names_.find_or_add(
        hash_text(seed_, name),
        [&](uint32_t known) { return profile_.text(profile_.functions[known].name) == name; },
        [&] {
          FunctionId function = profile_.add_function({profile_.strings.add(name)});
          profile_.add_location({}, {{function, 0, 0}});
          return static_cast<size_t>(function);
        })};
  }

  StackProfile profile_;
  LabelsId no_labels_{};
  Interner names_;
  std::vector<LocationId> frames_;
  uint64_t seed_ = process_seed();
};

void append_name(std::string& text, std::string_view name) {
  // What is left of the count at the end of a line would not be read again.
  name = name.substr(0, name.find_last_not_of(" \t\r\n") + 1);
  if (name.empty()) name = "[unknown]";
  for (char c : name) text += c == ';' ? ':' : c == '\n' || c == '\r' ? ' ' : c;
  text += ';';
}

void append_frames(const StackProfile& profile, LocationId id, std::string& text) {
  std::span<const StackLine> lines = profile.lines[static_cast<size_t>(id)];
  for (size_t i = lines.size(); i > 0; i--) {
    const StackFunction& function = profile.functions[static_cast<size_t>(lines[i - 1].function)];
    StringId name = function.name == kEmptyString ? function.system_name : function.name;
    append_name(text, profile.text(name));
  }
  if (!lines.empty()) return;
  const StackLocation& location = profile.locations[static_cast<size_t>(id)];
  uint64_t address = location.address.value;
  std::string module = "[unknown]";
  if (location.mapping != kNoMapping) {
    const StackMapping& mapping = profile.mappings[static_cast<size_t>(location.mapping)];
    std::string_view path = profile.text(mapping.filename);
    if (!path.empty()) module = file_name(path);
    if (mapping.holds(location.address))
      address = address - mapping.begin.value + mapping.file_offset.value;
  }
  char digits[20];
  char* end = std::to_chars(digits, digits + sizeof digits, address, 16).ptr;
  append_name(text, module + "+0x" + std::string(digits, end));
}

// What of stacks cannot be written; empty when all can.
std::string format_negative(const NegativeSamples& negative) {
  if (negative.samples == 0) return "";
  return std::to_string(negative.samples) + (negative.samples == 1 ? " stack" : " stacks") +
         " with a negative count (" + std::to_string(negative.sum) +
         " in all), which flame graphs cannot show; \xFF{output} FILE.pb.gz keeps all counts";
}

}  // namespace

bool is_folded(Bytes bytes) {
  constexpr size_t kLines = 8;
  size_t lines = 0;
  bool fits = each_line(first_lines(bytes, kLines), [&](std::string_view line, uint64_t) {
    std::optional<FoldedLine> split = split_line(line);
    bool has_control = std::any_of(line.begin(), line.end(), [](char c) {
      return static_cast<unsigned char>(c) < 0x20 && c != '\t';
    });
    lines++;
    return split && !split->stack.empty() && !has_control;
  });
  return fits && lines > 0;
}

bool is_folded_difference(Bytes bytes) {
  constexpr uint64_t kOneIn = 20;  // this part of the lines may have one count
  uint64_t lines = 0, with_one = 0;
  std::vector<std::string_view> stacks;
  each_line(bytes, [&](std::string_view line, uint64_t) {
    std::optional<FoldedLine> after = split_line(line);
    std::optional<FoldedLine> before = after ? split_line(after->stack) : std::nullopt;
    lines++;
    if (!before || before->stack.empty())
      with_one++;
    else
      stacks.push_back(before->stack);
    return true;
  });
  if (lines == 0 || with_one * kOneIn > lines) return false;
  std::sort(stacks.begin(), stacks.end());
  return std::adjacent_find(stacks.begin(), stacks.end()) == stacks.end();
}

Result<StackProfile> parse_folded(Bytes bytes, const std::string& name, Diagnostics& diagnostics) {
  FoldedParser parser;
  std::string error;
  each_line(bytes, [&](std::string_view line, uint64_t number) {
    std::optional<FoldedLine> split = split_line(line);
    if (split && !split->stack.empty()) {
      parser.add(*split);
      return true;
    }
    constexpr size_t kShown = 60;
    error = name + ": line " + std::to_string(number) +
            ": frames and a count expected (main;work 42), found '" +
            std::string(line.substr(0, kShown)) + "'";
    return false;
  });
  if (!error.empty()) return fail(ErrorKind::kInput, error);
  if (!bytes.empty() && bytes.back() != '\n')
    diagnostics.warn("cut-short", name +
                                      ": folded stacks: the last line does not end with a newline: "
                                      "was the file cut short? Its count may be wrong");
  return parser.take();
}

Result<std::string> write_folded(const StackProfile& profile, Diagnostics& diagnostics) {
  std::map<std::string, WideSum> lines;
  std::string text;
  uint64_t size = 0;
  size_t type = shown_type(profile);
  // Each name is there as often as stacks have it: a small profile can be any number of bytes.
  constexpr uint64_t kMaxText = uint64_t{1} << 30;
  for (size_t i = 0; i < profile.samples.size(); i++) {
    text.clear();
    auto stack = profile.stacks[static_cast<size_t>(profile.samples[i].stack)];
    for (size_t frame = stack.size(); frame > 0; frame--)
      append_frames(profile, stack[frame - 1], text);
    if (text.empty()) text = "[unknown];";
    text.pop_back();
    auto [line, is_new] = lines.try_emplace(text, 0);
    line->second += profile.values_of(i)[type];
    if (is_new && (size += text.size()) > kMaxText)
      return fail(ErrorKind::kUnsupported,
                  "folded: the stacks take more than " + std::to_string(kMaxText) +
                      " bytes as text; \xFF{output} FILE.pb.gz writes each name once");
  }
  std::string out;
  NegativeSamples negative;
  uint64_t stopped = 0;
  for (const auto& [stack, sum] : lines) {
    int64_t count = static_cast<int64_t>(std::clamp<WideSum>(sum, kLeastCount, kMaxCount));
    if (sum > kMaxCount) stopped++;
    if (count < 0) negative.add(count);
    if (count > 0) out += stack + ' ' + std::to_string(count) + '\n';
  }
  std::string left_out = format_negative(negative);
  if (out.empty())
    return fail(ErrorKind::kEmpty,
                "folded: no stack has a count above 0" + (left_out.empty() ? "" : ": " + left_out));
  if (!left_out.empty()) diagnostics.warn("negative-values", "folded: left out " + left_out);
  if (stopped != 0)
    diagnostics.warn("stopped-counts",
                     "folded: " + std::to_string(stopped) +
                         (stopped == 1 ? " stack has a count that is larger than "
                                       : " stacks have a count that is larger than ") +
                         std::to_string(kMaxCount) + ", and stops there");
  return out;
}

}  // namespace pgo
