// The report of a conversion, as the conversion said it.

#include "pgo/base/number_text.h"
#include "pgo/profile/quality.h"
#include "pgo/report/build_table.h"
#include "pgo/report/funnel.h"
#include "pgo/report/show_kinds.h"
#include "pgo/report/text_sheet.h"

namespace pgo {
namespace {

std::string or_question_mark(const std::string& text) { return text.empty() ? "?" : text; }

bool is_known(const std::string& quality) {
  return !quality.empty() && quality != quality_name(Quality::kUnknown);
}

// Its evidence where it is another than `all`.
std::string describe_binary(const ConversionReport::Binary& binary, const std::string& all) {
  std::string text = or_question_mark(binary.path) + "  " + format_build_id(binary.build_id) + "  ";
  text += binary.samples == 0 ? format_count(binary.traces, "trace")
                              : format_count(binary.samples, "PC sample");
  if (!binary.evidence.empty() && binary.evidence != all) text += ", evidence " + binary.evidence;
  return is_known(binary.quality) ? text + ", quality " + binary.quality : text;
}

// A row of one line for each element; none for no elements.
template <typename T, typename Describe>
void add_lines(const std::string& label, const std::vector<T>& elements, const Describe& describe,
               TextSheet& sheet) {
  std::vector<std::string> lines;
  for (const T& element : elements) lines.push_back(describe(element));
  sheet.rows(label, lines);
}

}  // namespace

ShowReport report_contents(const ShowResult& result, const ConversionReport& contents) {
  ShowReport report;
  // All of it, with fields that another version has written.
  report.json = nlohmann::json::parse(contents.contents, nullptr, /*allow_exceptions=*/false);
  TextSheet sheet;
  sheet.line(result.path + ": report of pgo convert");
  sheet.row("evidence", or_question_mark(contents.evidence));
  if (is_known(contents.quality)) sheet.row("quality", contents.quality);
  if (contents.density && !contents.is_inferred)
    sheet.row("density", format_decimal(*contents.density, 1));
  if (contents.split_half_overlap)
    sheet.row("split-half", "overlap " + format_share(*contents.split_half_overlap));
  if (contents.unsampled_flow_share)
    sheet.row("unsampled", format_share(*contents.unsampled_flow_share) + " of the inferred flow");
  using Output = ConversionReport::Output;
  using Unused = ConversionReport::UnusedInput;
  add_lines(
      "binaries", contents.binaries,
      [&](const ConversionReport::Binary& binary) {
        return describe_binary(binary, contents.evidence);
      },
      sheet);
  add_lines(
      "outputs", contents.outputs,
      [](const Output& output) {
        return or_question_mark(output.path) + "  " + format_size(output.size);
      },
      sheet);
  add_lines(
      "not used", contents.unused_inputs,
      [](const Unused& unused) {
        return or_question_mark(unused.path) + ": " + or_question_mark(unused.reason);
      },
      sheet);
  add_lines("warnings", contents.warnings, or_question_mark, sheet);
  AddressProfile funnel;
  funnel.samples = contents.samples;
  funnel.branches = contents.branches;
  funnel.lost = contents.lost;
  sheet.block(format_funnel(funnel));
  report.text = sheet.text();
  return report;
}

}  // namespace pgo
