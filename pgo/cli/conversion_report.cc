#include "pgo/cli/conversion_report.h"

#include <algorithm>
#include <cstdio>

#include "converters/llvm_sample/profile_digest.h"
#include "pgo/cli/funnel.h"
#include "pgo/cli/messages.h"

namespace pgo {
namespace {

constexpr size_t kShownUnused = 10;  // of the inputs that gave nothing

// From what density on llvm-profgen asks for no more samples.
constexpr double kDenseEnough = 50;

std::string one_decimal(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", value);
  return text;
}

// How much there is, and how much of what ran it describes.
std::string describe_coverage(const SourceProfile& source, const ProfileQuality& quality) {
  const LineCoverage& coverage = source.coverage;
  std::string text = format_count(source.functions.size(), "function") + ", density " +
                     one_decimal(quality.density) + ", ";
  std::string calls =
      format_percent(coverage.calls_no_line, coverage.calls) + " of the calls without a ";
  if (source.is_probe_based)
    return text + "by pseudo probe, " + calls + "probe, " +
           format_percent(coverage.no_function, coverage.all) +
           " of the executed code in functions without probes";
  text += format_percent(coverage.no_line, coverage.all) + " of the executed code and " + calls +
          "line";
  if (coverage.no_function == 0) return text;
  return text + ", " + format_percent(coverage.no_function, coverage.all) +
         " of the code in no function that the debug information knows";
}

// Why most of the code that ran is in no function.
std::string explain_missing(const SourceProfile& source) {
  const auto& oddities = source.diagnostics.entries();
  bool is_whole =
      !oddities.contains("missing-split-file") && !oddities.contains(DebugDamage::kKind);
  if (is_whole && source.coverage.lines_only > source.coverage.no_function / 2)
    return "the debug information has lines for it, but no functions; compile with "
           "-fdebug-info-for-profiling (clang), or -g";
  return std::string("it was built without ") +
         (source.is_probe_based ? "pseudo probes" : "debug information") +
         "; build the libraries that are linked into the program like the program itself "
         "(in CMake: LINKED)";
}

// Branch records count before plain samples, however few they are.
void warn_of_better_samples(const ConversionResult& result) {
  uint64_t left_out = result.profile.samples[Dropped::kWithoutStack];
  if (result.plain || left_out == 0) return;
  if (const char* better = better_class_of(left_out, result.quality))
    print_warning("branch records count alone, which make a " + std::string(result.quality.name) +
                  " profile; the " + format_count(left_out) + " samples without them make a " +
                  better + " one: convert these by themselves");
}

}  // namespace

void print_perf2bolt_errors(const Perf2boltOutput& output) {
  for (const std::string& error : output.errors)
    print_warning("perf2bolt wrote a profile, but reports an error: " + error);
}

void print_perf2bolt(const std::string& path, const Perf2boltOutput& output) {
  constexpr double kOtherBuild = 5;  // percent; a few do not match in the right build either
  print_warnings(output.diagnostics);
  print_perf2bolt_errors(output);
  const Perf2boltFigures& figures = output.figures;
  if (!figures.mismatching_traces) return;
  char share[32];
  std::snprintf(share, sizeof share, "%.1f %%", figures.mismatching_percent);
  std::string text = path + ": " + share + " of the traces do not match the code";
  if (figures.mismatching_percent > kOtherBuild)
    print_warning(text + "; was another build recorded?");
  else
    print_note(text);
}

nlohmann::json perf2bolt_json(const Perf2boltOutput& output) {
  auto number = [](std::optional<uint64_t> value) {
    return value ? nlohmann::json(*value) : nlohmann::json();
  };
  const Perf2boltFigures& figures = output.figures;
  return {{"mismatching_traces", number(figures.mismatching_traces)},
          {"mismatching_percent", figures.mismatching_percent},
          {"out_of_range_traces", number(figures.out_of_range_traces)},
          {"out_of_range_percent", figures.out_of_range_percent},
          {"profiled_functions", number(figures.profiled_functions)},
          {"functions", number(figures.functions)},
          {"warnings", warnings_json(output.diagnostics)},
          {"errors", output.errors}};
}

nlohmann::json output_json(const Product& product) {
  const std::string& contents = product.contents;
  return {{"path", product.path},
          {"size", contents.size()},
          {"digest",
           profile_digest({reinterpret_cast<const uint8_t*>(contents.data()), contents.size()})}};
}

nlohmann::json conversion_json(const ConversionResult& result,
                               const std::vector<Product>& products) {
  const AddressProfile& profile = result.profile;
  nlohmann::json json = funnel_json(profile);
  json["grade"] = result.grade;
  json["quality"] = quality_json(result.quality);
  if (result.plain) json["plain_samples"] = plain_samples_json(*result.plain);
  json["binaries"] = result.counted;
  json["unused_inputs"] = result.unused;
  if (result.source) {
    const LineCoverage& coverage = result.source->coverage;
    bool by_probe = result.source->is_probe_based;
    json["source"] = {
        {"probe_based", by_probe},
        {"functions", result.source->functions.size()},
        {"density", result.quality.density},
        {"executed_bytes", coverage.all},
        {"without_function", coverage.no_function},
        {"without_line", coverage.no_line},
        {"calls", coverage.calls},
        {by_probe ? "calls_without_probe" : "calls_without_line", coverage.calls_no_line},
        {"broken_ranges", coverage.broken_ranges}};
  }
  for (const Product& product : products) {
    nlohmann::json output = output_json(product);
    if (!product.figures.is_null()) output["perf2bolt"] = product.figures;
    json["outputs"].push_back(std::move(output));
  }
  return json;
}

void print_conversion(const ConversionResult& result) {
  print_warnings(result.profile.diagnostics);
  for (size_t i = 0; i < std::min(kShownUnused, result.unused.size()); i++)
    print_warning(result.unused[i]);
  if (result.unused.size() > kShownUnused)
    print_warning(format_count(result.unused.size() - kShownUnused, "more input") +
                  " gave nothing; --json names them");
  if (result.profile.samples.seen != 0) print_note(format_funnel_line(result.profile));
  if (result.plain) print_note(describe_plain_samples(*result.plain));
  if (auto missing = result.plain ? describe_missing(*result.plain) : std::nullopt)
    print_note(*missing);
  if (!result.plain && result.quality.name != nullptr && result.quality.split_half_overlap)
    print_note(std::string("a ") + result.quality.name + " profile, halves of which agree on " +
               format_share(*result.quality.split_half_overlap) + " of the code that ran");
  warn_of_better_samples(result);
  if (!result.source) return;
  print_note(describe_coverage(*result.source, result.quality));
  print_warnings(result.source->diagnostics);
  const LineCoverage& coverage = result.source->coverage;
  if (coverage.no_function > coverage.all / 2) {
    // More samples would not help.
    print_warning("most of the code that ran is not in the profile: " +
                  explain_missing(*result.source));
    return;
  }
  // Of inferred counts density says nothing: each sample stands for many executions.
  if (result.quality.density < kDenseEnough && result.quality.density > 0 && !result.plain) {
    print_note("about " + one_decimal(kDenseEnough / result.quality.density) +
               " times as many samples would reach a density of 50, from where more gain little");
  }
}

}  // namespace pgo
