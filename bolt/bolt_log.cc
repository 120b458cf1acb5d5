#include "bolt/bolt_log.h"

#include <algorithm>
#include <iterator>

#include "bolt/log_text.h"

namespace pgo {
namespace {

bool has(std::string_view line, std::string_view words) {
  return line.find(words) != std::string_view::npos;
}

// What llvm-bolt usually warns of, and what that means for the result: nothing where it is empty.
struct KnownWarning {
  std::string_view words, kind, meaning;
};
constexpr KnownWarning kKnownWarnings[] = {
    {"which lies outside", "", ""},  // symbols of the linker, such as __ehdr_start
    // Branches to where the compiler knows that nothing comes (__builtin_unreachable).
    {"jump past end detected", "", ""},
    {"Running parallel work of", "", ""},  // how llvm-bolt divides little work
    {"is estimated to optimize better with", "thin-profile",
     "more samples would make the layout better"},
    {"samples in the binary", "", ""},  // figures of the report, this and the next
    {"invalid (possibly stale) profile", "", ""},
    {"is in conflict with FDE", "unwind-conflict",
     "functions whose unwind information does not fit their symbol (usual in the assembly of a C "
     "library) keep their code"},
    {"seen in the middle of the function", "symbol-inside",
     "functions with a symbol in their middle (usual in the assembly of a C library) keep their "
     "code"},
    {"object detected in a padding region", "data-in-code",
     "functions with data after their code are not changed"},
    {"Failed to analyze", "relocations",
     "relocations that llvm-bolt does not understand stay as they are"},
    {"due to cold fragments", "cold-fragments",
     "functions whose cold code the compiler split off keep their layout; build without splitting "
     "(GCC: -fno-reorder-blocks-and-partition)"},
    {"indirect branches for", "indirect-branches",
     "functions with jumps whose targets llvm-bolt cannot determine keep their code"},
    {"unable to disassemble", "not-disassembled",
     "functions with instructions that llvm-bolt does not know keep their code"},
    {"internal-dwarf", "debug-information",
     "a part of the debug information was not brought up to date"},
    {"debug info will be stripped", "debug-information-dropped",
     "the result has no debug information"},
};

// What stands where a line is read: nothing that is counted, the code before and then after, or the
// code before, which is that after as well.
enum class DynoStats { kNone, kBeforeAndAfter, kUnchanged };

DynoStats dyno_stats_behind(std::string_view heading) {
  if (!has(heading, "program-wide dynostats")) return DynoStats::kNone;
  return has(heading, "(no change)") ? DynoStats::kUnchanged : DynoStats::kBeforeAndAfter;
}

// "7890 : executed forward branches (+1.2%)"; without the parenthesis: of the code as it was.
void read_dyno_stat(std::string_view line, DynoStats which, BoltLog& log) {
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  std::optional<uint64_t> count = leading_number<uint64_t>(line);
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
  if (which == DynoStats::kUnchanged) stat->after = stat->before;
}

// "(15 out of 128 stale)" behind `words`, which end with the bracket.
void read_part(std::string_view line, std::string_view words, std::optional<uint64_t>& part,
               std::optional<uint64_t>& whole) {
  const auto count = after(line, words);
  if (!count) return;
  part = leading_number<uint64_t>(*count);
  if (auto all = after(*count, " out of ")) whole = leading_number<uint64_t>(*all);
}

void read_info(std::string_view line, BoltLog& log) {
  if (has(line, "have non-empty execution profile")) {
    log.profiled_functions = leading_number<uint64_t>(line);
    if (auto all = after(line, " out of ")) log.functions = leading_number<uint64_t>(*all);
  }
  if (has(line, "objects was ignored"))
    if (auto count = after(line, "profile for "))
      log.absent_functions = leading_number<uint64_t>(*count);
  if (auto count = after(line, "inferred profile for "))
    log.inferred_functions = leading_number<uint64_t>(*count);
  if (has(line, "inference found an exact match for")) {
    read_part(line, " of basic blocks (", log.exact_blocks, log.stale_blocks);
    read_part(line, " samples (", log.exact_samples, log.block_samples);
  }
  if (auto count = after(line, "basic block reordering modified layout of "))
    log.reordered_functions = leading_number<uint64_t>(*count);
  if (auto count = after(line, "ICF folded "))
    log.folded_functions = leading_number<uint64_t>(*count);
}

// What one tool warns of and reports as an error.
class WarningCollector {
 public:
  WarningCollector(const std::string& tool, BoltLog& log) : tool_(tool), log_(log) {}

  // `line` says `text` in a warning.
  void warn(std::string_view line, std::string_view text) {
    if (has(text, "split function detected on input")) {
      log_.split_on_input++;
      return;
    }
    if (has(text, "samples in the binary")) {
      log_.stale_samples = leading_number<uint64_t>(text);
      if (auto all = after(text, " out of ")) log_.samples = leading_number<uint64_t>(*all);
    } else if (has(text, "invalid (possibly stale) profile")) {
      log_.stale_functions = leading_number<uint64_t>(text);
    }
    if (is_usual(text)) return;
    if (unknown_++ == 0) first_unknown_ = line;
  }

  void report_error(std::string_view line, std::string_view text) {
    if (!is_usual(text)) log_.errors.emplace_back(line);
  }

  // Of unknown warnings only the first is kept, with the number of the others.
  void finish() {
    if (unknown_ == 0) return;
    log_.has_unknown_warnings = true;
    std::string text = tool_ + ": unknown warning: " + std::string(first_unknown_);
    if (unknown_ > 1)
      text += " (and " + std::to_string(unknown_ - 1) +
              (unknown_ == 2 ? " other warning)" : " other warnings)");
    log_.warnings.warn(tool_, text);
  }

 private:
  bool is_usual(std::string_view text) {
    auto known = std::find_if(std::begin(kKnownWarnings), std::end(kKnownWarnings),
                              [&](const KnownWarning& one) { return has(text, one.words); });
    if (known == std::end(kKnownWarnings)) return false;
    if (!known->meaning.empty())
      log_.warnings.warn(std::string(known->kind), tool_ + ": " + std::string(known->meaning));
    return true;
  }

  const std::string& tool_;
  BoltLog& log_;
  std::string_view first_unknown_;
  uint64_t unknown_ = 0;
};

}  // namespace

BoltLog parse_bolt_log(std::string_view text, const std::string& tool) {
  BoltLog log;
  WarningCollector collector(tool, log);
  DynoStats dyno_stats = DynoStats::kNone;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (auto info = after(line, "BOLT-INFO: ")) {
      dyno_stats = dyno_stats_behind(*info);
      read_info(*info, log);
    } else if (auto warning = after(line, "BOLT-WARNING: ")) {
      collector.warn(line, *warning);
    } else if (auto error = after(line, "BOLT-ERROR: ")) {
      collector.report_error(line, *error);
    } else if (dyno_stats != DynoStats::kNone) {
      read_dyno_stat(line, dyno_stats, log);
    }
  }
  collector.finish();
  return log;
}

}  // namespace pgo
