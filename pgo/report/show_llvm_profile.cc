// An LLVM sample profile: its form, its functions, how much of its weight is in how few lines.

#include <algorithm>
#include <cstdio>
#include <iterator>

#include "pgo/base/number_text.h"
#include "pgo/report/message.h"
#include "pgo/report/profiled_functions.h"
#include "pgo/report/show_kinds.h"

namespace pgo {
namespace {

const char* form_name(Format format) {
  switch (format) {
    case Format::kLlvmBinary: return "binary";
    case Format::kLlvmText: return "text";
    default: return "extensible binary";
  }
}

std::string kinds_of(const LlvmContents& contents) {
  std::string kinds = contents.is_probe_based ? "by pseudo probe" : "by line";
  if (contents.is_context_sensitive) kinds += ", context-sensitive";
  if (contents.is_pre_inlined) kinds += ", with decisions to inline";
  if (contents.is_flow_sensitive) kinds += ", flow-sensitive discriminators";
  if (contents.names_are_hashes) kinds += ", names are hashes";
  return kinds;
}

std::string checksums_of(const LlvmContents& contents) {
  if (!contents.is_probe_based) return "";
  if (contents.functions_without_checksum == 0)
    return ", each with the checksum of its control flow";
  return ", " + format_count(contents.functions_without_checksum) +
         " of them without the checksum of their control flow";
}

// The shares that compilers ask about: what is hot (99 %) and what is not cold (99.9999 %).
void add_cutoffs(const LlvmContents& contents, ShowReport& report, TextSheet& sheet) {
  constexpr uint32_t kShown[] = {500000, 900000, 990000, 999999};
  report.json["cutoffs"] = nlohmann::json::array();
  std::vector<std::string> lines;
  for (const SummaryCutoff& cutoff : contents.cutoffs) {
    report.json["cutoffs"].push_back({{"share", cutoff.share_millionths / 1e6},
                                      {"counts", cutoff.counts},
                                      {"smallest_count", cutoff.smallest_count}});
    if (std::find(std::begin(kShown), std::end(kShown), cutoff.share_millionths) ==
        std::end(kShown))
      continue;
    char share[32];
    std::snprintf(share, sizeof share, "%g", cutoff.share_millionths / 1e4);
    lines.push_back(std::string(share) + " % of the counts are in " +
                    format_count(cutoff.counts, contents.is_probe_based ? "probe" : "line") +
                    " of " + format_count(cutoff.smallest_count) + " or more");
  }
  sheet.rows("cutoffs", lines);
}

}  // namespace

ShowReport report_contents(const ShowResult& result, const LlvmContents& contents) {
  ShowReport report;
  report.json = {{"path", result.path},
                 {"format", info_of(contents.format).prefix},
                 {"size", result.size},
                 {"density", contents.density},
                 {"context_sensitive", contents.is_context_sensitive},
                 {"pre_inlined", contents.is_pre_inlined},
                 {"probe_based", contents.is_probe_based},
                 {"flow_sensitive", contents.is_flow_sensitive},
                 {"hashed_names", contents.names_are_hashes},
                 {"inlined_functions", contents.inlined_functions},
                 {"warnings", warnings_json(contents.diagnostics)}};
  TextSheet sheet;
  sheet.line(result.path + ": LLVM sample profile, " + form_name(contents.format) + ", " +
             format_size(result.size));
  sheet.row("kind", kinds_of(contents));
  std::string inlined;
  if (contents.inlined_functions != 0)
    inlined = "and " + format_count(contents.inlined_functions) + " only as inlined into them";
  add_sums(contents.functions, {checksums_of(contents), inlined}, report, sheet);
  sheet.row("density", format_decimal(contents.density, 1));
  add_cutoffs(contents, report, sheet);
  for (const std::string& line : warning_lines(contents.diagnostics)) sheet.row("warning", line);
  add_hottest(contents.functions, report, sheet);
  report.text = sheet.text();
  return report;
}

}  // namespace pgo
