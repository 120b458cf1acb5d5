#include "converters/flame_graph/flame_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "pgo/base/number_text.h"
#include "pgo/base/utf8.h"
#include "pgo/profile/stack_selection.h"

namespace pgo {
namespace {

bool is_continuation(char c) { return (c & 0xc0) == 0x80; }

struct Unit {
  double size;
  const char* name;
  double from;  // how many on it is used
};

// Whole numbers with all digits, others with four.
std::string amount_text(double value) {
  if (std::abs(value) < 9.2e18 && (value == std::trunc(value) || std::abs(value) >= 9999.5)) {
    const int64_t whole = std::llround(value);
    return whole < 0 ? "-" + format_count(magnitude_of(whole))
                     : format_count(static_cast<uint64_t>(whole));
  }
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

std::string in_units(double value, std::span<const Unit> units) {
  auto unit = units.begin();
  while (unit + 1 != units.end() && std::abs(value) < 0.9995 * unit->size * unit->from) ++unit;
  char text[64];
  double shown = value / unit->size;
  if (unit + 1 == units.end()) return amount_text(shown) + ' ' + unit->name;
  int decimals = std::abs(shown) < 9.995 ? 2 : 1;
  std::snprintf(text, sizeof text, "%.*f %s", decimals, shown, unit->name);
  return text;
}

constexpr std::array<Unit, 6> kTimes = {{{3600e9, "h", 2},
                                         {60e9, "min", 2},
                                         {1e9, "s", 1},
                                         {1e6, "ms", 1},
                                         {1e3, "µs", 1},
                                         {1, "ns", 0}}};
constexpr std::array<Unit, 5> kSizes = {
    {{1e12, "TB", 1}, {1e9, "GB", 1}, {1e6, "MB", 1}, {1e3, "kB", 1}, {1, "bytes", 0}}};

// 0.0001 as "0.01 %".
std::string limit_text(double share) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g %%", 100 * share);
  return text;
}

}  // namespace

std::string printable_name(std::string_view name) {
  std::string valid = valid_utf8(name.substr(0, 64 * kLongestName)), shown;
  for (std::string_view text = valid; !text.empty();) {
    auto [c, size] = first_character(text);
    if (is_invisible(c)) {
      char escape[16];
      std::snprintf(escape, sizeof escape, c < 0x100 ? "\\x%02x" : "\\u{%x}",
                    static_cast<unsigned>(c));
      shown += escape;
    } else {
      shown += text.substr(0, size);
    }
    text.remove_prefix(size);
  }
  if (shown.size() <= kLongestName) return shown;
  size_t head = kLongestName / 2, tail = shown.size() - kLongestName / 2 + 3;
  while (is_continuation(shown[head])) head--;
  while (is_continuation(shown[tail])) tail++;
  return shown.substr(0, head) + "…" + shown.substr(tail);
}

std::string json_text(std::string_view text) {
  std::string quoted = "\"";
  for (size_t i = 0; i < text.size(); i++) {
    char c = text[i];
    bool is_separator = text.substr(i, 3) == "\u2028" || text.substr(i, 3) == "\u2029";
    if (is_separator) {
      quoted += text[i + 2] == '\xa8' ? "\\u2028" : "\\u2029";
      i += 2;
    } else if (c == '"' || c == '\\') {
      quoted += {'\\', c};
    } else if (static_cast<unsigned char>(c) < 0x20 || c == '<' || c == '>' || c == '&' ||
               c == 0x7f) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
      quoted += escape;
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

std::string format_flame_value(const FlameTree& tree, int64_t value) {
  if (tree.in_shares)
    return format_flame_share(static_cast<double>(value) / static_cast<double>(kFlameWhole));
  double number = static_cast<double>(value) * tree.value_size;
  if (tree.unit == "nanoseconds" || tree.unit == "ns") return in_units(number, kTimes);
  if (tree.unit == "microseconds") return in_units(number * 1e3, kTimes);
  if (tree.unit == "milliseconds") return in_units(number * 1e6, kTimes);
  if (tree.unit == "seconds") return in_units(number * 1e9, kTimes);
  if (tree.unit == "bytes") return in_units(number, kSizes);
  std::string digits = tree.value_size != 1 ? amount_text(number)
                       : value < 0          ? "-" + format_count(magnitude_of(value))
                                            : format_count(static_cast<uint64_t>(value));
  if (tree.unit.empty()) return digits;
  return digits + ' ' + printable_name(tree.unit == "count" ? tree.type : tree.unit);
}

std::string format_flame_share(double share) {
  double percent = 100 * share, size = std::abs(percent);
  int decimals = size == 0 || size >= 9.995 ? 1 : size >= 0.9995 ? 2 : size >= 0.0009995 ? 3 : 5;
  return format_decimal(percent, decimals) + " %";
}

std::string format_flame_q(const FlameCertainty& certainty) {
  if (!certainty.q || !std::isfinite(*certainty.q)) return "";
  if (*certainty.q < 0.001) return "q < 0.001";
  char text[32];
  std::snprintf(text, sizeof text, "q = %#.2g", *certainty.q);
  return text;
}

std::vector<std::string> omission_notes(const FlameTree& tree) {
  const FlameOmitted& omitted = tree.omitted;
  std::vector<std::string> notes;
  std::string of_all = " of " + format_count(tree.stacks, "stack");
  if (omitted.small_stacks != 0)
    notes.push_back("Frames below " + limit_text(omitted.min_share) +
                    " of the whole are merged into \"(other)\", where " +
                    format_count(omitted.small_stacks) + of_all + " end");
  if (omitted.deep_stacks != 0)
    notes.push_back("Stacks with more than " + format_count(omitted.max_depth, "frame") +
                    " end in \"(other)\": " + format_count(omitted.deep_stacks) + of_all);
  FlameValues other = tree.other();
  if (other != FlameValues{})
    notes.push_back("\"(other)\" is " + format_flame_share(tree.share(other)) + " of the whole");
  if (omitted.functions != 0)
    notes.push_back("The table leaves out " + format_count(omitted.functions, "function") +
                    " with the smallest shares");
  if (omitted.negative_stacks != 0)
    notes.push_back(format_count(omitted.negative_stacks, "stack") + " with a negative value (" +
                    std::to_string(omitted.negative_sum) + " in all) cannot be drawn");
  return notes;
}

int change_step(const FlameTree& tree, size_t node) {
  if (node < tree.certainties.size()) {
    FlameMark mark = tree.certainties[node].mark;
    if (mark == FlameMark::kNoise || mark == FlameMark::kThin) return 0;
  }
  double whole = 0;
  for (const FlameSide& side : tree.sides) whole = std::max(whole, static_cast<double>(side.whole));
  const FlameValues& total = tree.nodes[node].total;
  double change = (static_cast<double>(total[1]) - static_cast<double>(total[0])) / whole;
  double size = std::abs(change);
  int step = size >= 0.01 ? 3 : size >= 0.0025 ? 2 : size >= 0.0005 ? 1 : 0;
  return change < 0 ? -step : step;
}

}  // namespace pgo
