// What an LLVM sample profile holds: its form, how much it counts, its hottest functions.

#include <algorithm>
#include <cstdio>

#include "converters/llvm_sample/llvm_sample_reader.h"
#include "pgo/cli/entered_functions.h"
#include "pgo/cli/funnel.h"
#include "pgo/symbolize/profile_fit.h"

namespace pgo {
namespace {

// {for people, for JSON and -o}
std::pair<const char*, const char*> form_of(LlvmSampleFormat format) {
  switch (format) {
    case LlvmSampleFormat::kExtBinary: return {"extensible binary", "llvm"};
    case LlvmSampleFormat::kBinary: return {"binary", "llvm-binary"};
    case LlvmSampleFormat::kText: return {"text", "llvm-text"};
  }
  return {"", ""};
}

std::string kinds_of(const LlvmSampleFile& file) {
  std::string kinds = file.profile.is_probe_based ? "by pseudo probe" : "by line";
  if (file.is_context_sensitive) kinds += ", context-sensitive";
  if (file.is_pre_inlined) kinds += ", with decisions to inline";
  if (file.profile.is_flow_sensitive) kinds += ", flow-sensitive discriminators";
  if (file.names_are_hashes) kinds += ", names are hashes";
  return kinds;
}

// Functions that the profile knows only where they were inlined: `pgo show --applied` counts them
// as well.
uint64_t count_inlined_only(const LlvmSampleFile& file) {
  if (file.is_context_sensitive) return 0;  // one function may be there several times
  return wanted_functions(file.profile).guids.size() - file.profile.functions.size();
}

// Of profiles by probe: clang takes counts only of functions whose checksum is still the same.
std::string checksums_of(const SourceProfile& profile) {
  if (!profile.is_probe_based) return "";
  auto without = std::count_if(profile.functions.begin(), profile.functions.end(),
                               [](auto& one) { return one.second.getFunctionHash() == 0; });
  if (without == 0) return ", each with the checksum of its control flow";
  return ", " + format_count(static_cast<uint64_t>(without)) +
         " of them without the checksum of their control flow";
}

EnteredFunctions functions_of(const SourceProfile& profile) {
  EnteredFunctions functions;
  for (const auto& [key, samples] : profile.functions) {
    EnteredFunction function{sample_function_name(samples), samples.getTotalSamples(),
                             samples.getHeadSamples()};
    if (profile.is_probe_based) function.more = {{"checksum", samples.getFunctionHash()}};
    functions.add(std::move(function));
  }
  return functions;
}

// The shares that compilers ask about: what is hot (99 %) and what is not cold (99.9999 %).
void add_cutoffs(const LlvmSampleFile& file, Description& description, TextSheet& sheet) {
  description.json["cutoffs"] = nlohmann::json::array();
  std::string text;
  for (const SummaryCutoff& cutoff : file.cutoffs) {
    description.json["cutoffs"].push_back({{"share", cutoff.share_millionths / 1e6},
                                           {"counts", cutoff.counts},
                                           {"smallest_count", cutoff.smallest_count}});
    constexpr uint32_t kShown[] = {500000, 900000, 990000, 999999};
    if (std::find(std::begin(kShown), std::end(kShown), cutoff.share_millionths) ==
        std::end(kShown))
      continue;
    char share[32];
    std::snprintf(share, sizeof share, "%g", cutoff.share_millionths / 1e4);
    text += (text.empty() ? "" : "\n") + std::string(share) + " % of the counts are in " +
            format_count(cutoff.counts, file.profile.is_probe_based ? "probe" : "line") + " of " +
            format_count(cutoff.smallest_count) + " or more";
  }
  if (!text.empty()) sheet.row("cutoffs", text);
}

}  // namespace

Result<Description> describe_llvm_sample(Bytes bytes, const std::string& path,
                                         const DescribeOptions& options) {
  PGO_TRY(LlvmSampleFile file, read_llvm_sample(bytes, path));
  EnteredFunctions functions = functions_of(file.profile);
  double density = file.profile.density(options.jobs);
  auto [form, format] = form_of(file.format);

  Description description;
  description.json = {{"path", path},
                      {"format", format},
                      {"size", bytes.size()},
                      {"density", density},
                      {"context_sensitive", file.is_context_sensitive},
                      {"pre_inlined", file.is_pre_inlined},
                      {"probe_based", file.profile.is_probe_based},
                      {"flow_sensitive", file.profile.is_flow_sensitive},
                      {"hashed_names", file.names_are_hashes}};
  TextSheet sheet;
  sheet.line(path + ": LLVM sample profile, " + form + ", " + format_size(bytes.size()));
  sheet.row("kind", kinds_of(file));
  uint64_t inlined = count_inlined_only(file);
  description.json["inlined_functions"] = inlined;
  functions.add_sums(
      description, sheet,
      checksums_of(file.profile) +
          (inlined == 0 ? "" : "\nand " + format_count(inlined) + " only as inlined into them"));
  char density_text[32];
  std::snprintf(density_text, sizeof density_text, "%.1f", density);
  sheet.row("density", density_text);
  add_cutoffs(file, description, sheet);
  functions.add_hottest(options.top, description, sheet);
  description.text = sheet.text();
  return description;
}

}  // namespace pgo
