#include "bolt/bolt_log.h"

#include <algorithm>
#include <charconv>

namespace pgo {
namespace {

std::optional<std::string_view> after(std::string_view text, std::string_view marker) {
  size_t place = text.find(marker);
  if (place == std::string_view::npos) return std::nullopt;
  return text.substr(place + marker.size());
}

std::optional<uint64_t> leading_number(std::string_view text) {
  uint64_t number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} ? std::optional(number) : std::nullopt;
}

bool has(std::string_view line, std::string_view words) {
  return line.find(words) != std::string_view::npos;
}

// "7890 : executed forward branches (+1.2%)"; without the parenthesis: of the code as it was.
void read_dyno_stat(std::string_view line, BoltLog& log) {
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  std::optional<uint64_t> count = leading_number(line);
  auto name = after(line, " : ");
  if (!count || !name || name->empty()) return;
  size_t change = name->rfind(" (");
  bool is_after = change != std::string_view::npos && name->ends_with(')');
  std::string text(name->substr(0, is_after ? change : name->size()));
  auto stat = std::find_if(log.dyno_stats.begin(), log.dyno_stats.end(),
                           [&](const DynoStat& known) { return known.name == text; });
  if (stat == log.dyno_stats.end())
    stat = log.dyno_stats.insert(stat, DynoStat{std::move(text), 0, 0});
  (is_after ? stat->after : stat->before) = *count;
}

void read_info(std::string_view line, BoltLog& log) {
  if (has(line, "have non-empty execution profile")) {
    log.profiled_functions = leading_number(line);
    if (auto all = after(line, " out of ")) log.functions = leading_number(*all);
  }
  if (auto count = after(line, "basic block reordering modified layout of "))
    log.reordered_functions = leading_number(*count);
  if (auto count = after(line, "ICF folded ")) log.folded_functions = leading_number(*count);
}

void read_warning(std::string_view line, std::string_view text, BoltLog& log) {
  if (has(text, "split function detected on input")) {
    log.split_on_input++;
    return;
  }
  if (has(text, "samples in the binary")) {
    log.stale_samples = leading_number(text);
    if (auto all = after(text, " out of ")) log.samples = leading_number(*all);
  } else if (has(text, "invalid (possibly stale) profile")) {
    log.stale_functions = leading_number(text);
  }
  log.warnings.warn("llvm-bolt", std::string(line));
}

}  // namespace

BoltLog parse_bolt_log(std::string_view text) {
  BoltLog log;
  bool in_dyno_stats = false;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (auto info = after(line, "BOLT-INFO: ")) {
      in_dyno_stats = has(*info, "program-wide dynostats");
      read_info(*info, log);
    } else if (auto warning = after(line, "BOLT-WARNING: ")) {
      read_warning(line, *warning, log);
    } else if (auto error = after(line, "BOLT-ERROR: ")) {
      read_warning(line, *error, log);
    } else if (in_dyno_stats) {
      read_dyno_stat(line, log);
    }
  }
  return log;
}

}  // namespace pgo
