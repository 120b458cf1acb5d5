// Two profiles through all of diff(): either an error that says something, or rows whose figures
// can be, and outputs that can be shown and read. The input is both files (two_files.h); its size
// chooses what rows are and what they are compared by.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <string>

#include "converters/flame_graph/flame_svg.h"
#include "converters/folded/folded.h"
#include "converters/pprof/pprof_reader.h"
#include "converters/pprof/pprof_writer.h"
#include "pgo/cli/terminal/option_words.h"
#include "pgo/diff/diff.h"
#include "pgo/diff/folded_difference.h"
#include "pgo/diff/merged_difference.h"
#include "pgo/profile/stack_selection.h"
#include "pgo/report/diff_report.h"
#include "tests/fuzz/memory_file.h"
#include "tests/fuzz/shown_text.h"
#include "tests/fuzz/two_files.h"

using namespace pgo;

namespace {

constexpr double kRounding = 1e-9;

Bytes bytes_of(const std::string& text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

bool is_from_0_to(double most, double value) { return value >= 0 && value <= most; }

void check_row(const DiffRow& row, bool in_shares) {
  for (const verify::RowComparison* its : {&row.flat, &row.cumulative}) {
    if (!is_from_0_to(1, its->p) || !is_from_0_to(1, its->q)) std::abort();
    for (double rate : {its->rate_a, its->rate_b})
      if (!is_from_0_to(in_shares ? 1 + kRounding : HUGE_VAL, rate) || std::isinf(rate))
        std::abort();
    verify::DifferenceInterval interval = its->difference_interval(.95);
    if (interval.low > interval.high) std::abort();
  }
  if (row.flat.rate_a > row.cumulative.rate_a * (1 + kRounding) ||
      row.flat.rate_b > row.cumulative.rate_b * (1 + kRounding))
    std::abort();
}

// Each, and in their order; what code spent itself adds up to no more than all.
void check_rows(const DiffResult& result) {
  const bool in_shares = result.measure == verify::Measure::kShare;
  if (result.rows.empty() || result.total.has_value() == in_shares) std::abort();
  double before = 0, after = 0, difference = HUGE_VAL;
  for (const DiffRow& row : result.rows) {
    check_row(row, in_shares);
    if (std::abs(row.flat.difference()) > difference) std::abort();
    difference = std::abs(row.flat.difference());
    before += row.flat.rate_a;
    after += row.flat.rate_b;
  }
  constexpr double kSumRounding = 1e-6;
  if (in_shares && std::max(before, after) > 1 + kSumRounding) std::abort();
}

// What both sides have, with the sign of each; other programs read it as it is.
void check_merged(const DiffResult& result) {
  const StackProfile& merged = *result.merged;
  const std::string type = result.type + "/" + result.unit;
  if (merged.check()) std::abort();
  Result<size_t> compared = find_sample_type(merged, type, "merged");
  if (!compared) std::abort();
  std::array<double, 2> sums{};
  for (size_t i = 0; i < merged.samples.size(); i++) {
    const bool is_base = MergedDifference::is_base(merged, merged.samples[i].labels);
    const double value = static_cast<double>(merged.values_of(i)[*compared]);
    sums[is_base ? 0 : 1] += is_base ? -value : value;
  }
  for (size_t side = 0; side < 2; side++) {
    const double weight = result.sides[side].weight;
    const bool is_whole = !result.diagnostics.entries().contains("stopped-counts");
    if (is_whole && std::abs(sums[side] - weight) > kRounding * weight) std::abort();
  }
  Diagnostics diagnostics;
  Result<StackProfile> again = parse_pprof(bytes_of(write_pprof(merged)), "merged", diagnostics);
  if (!again) std::abort();
  again->normalize();
  if (*again != merged || !is_difference(*again)) std::abort();

  Result<std::string> folded = folded_difference(merged, type, diagnostics);
  if (!folded) return test::check_error(folded.error());
  if (!is_folded_difference(bytes_of(*folded))) std::abort();
}

void check_pages(const DiffResult& result) {
  FlamePage page = diff_page(result);
  for (const Result<std::string>& text :
       {flame_html(*result.graph, page), flame_svg(*result.graph, page)}) {
    if (text)
      test::check_text(*text);
    else
      test::check_error(text.error());
  }
}

void check_texts(const DiffResult& result) {
  for (bool cumulative : {false, true}) {
    DiffTable table{.top = 3, .cumulative = cumulative, .only_changed = cumulative};
    test::check_text(diff_text(result, table));
    test::check_text(with_option_words(diff_markdown(result, table)));
  }
  for (const Message& message : diff_messages(result))
    test::check_text(printable(with_option_words(message.text)));
  const std::string json = diff_json_text(json_with_option_words(diff_json(result)), result);
  if (valid_utf8(json) != json || nlohmann::json::parse(json, nullptr, false).is_discarded())
    std::abort();
}

}  // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size,
                                          unsigned seed) {
  return test::mutate_files(data, size, max_size, seed);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::optional<test::TwoFiles> input = test::split_files({data, size});
  if (!input) return -1;
  test::MemoryFile before(input->first), after(input->second);

  DiffRequest request;
  request.sides = {{{before.path()}, {after.path()}}};
  constexpr RowsBy kRows[] = {RowsBy::kFunction, RowsBy::kFile, RowsBy::kLine, RowsBy::kBinary,
                              RowsBy::kLabel};
  request.by = kRows[size % std::size(kRows)];
  request.label = "thread";
  request.physical = size % 2 != 0;
  constexpr verify::Measure kMeasures[] = {verify::Measure::kShare, verify::Measure::kPerUnit,
                                           verify::Measure::kTotal};
  request.measure = kMeasures[size % std::size(kMeasures)];
  request.units = {2, 3};
  request.debug.roots = {};
  request.wants_graph = request.wants_merged = true;
  request.jobs = 1;
  Result<DiffResult> result = diff(request);
  if (!result) {
    test::check_error(result.error());
    return 0;
  }
  check_rows(*result);
  check_merged(*result);
  check_pages(*result);
  check_texts(*result);
  return 0;
}
