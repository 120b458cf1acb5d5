#include "pgo/show/compiler_profile_contents.h"

#include <llvm/ProfileData/SampleProf.h>

#include <algorithm>

#include "converters/gcc_auto/gcc_auto_profile.h"
#include "pgo/match/profile_match.h"
#include "pgo/profile/accounting.h"

namespace pgo {
namespace {

using Function = ProfiledFunctions::Function;

ProfiledFunctions sum_up(std::vector<Function> functions, size_t top) {
  ProfiledFunctions result;
  result.count = functions.size();
  for (const Function& function : functions) {
    result.total = saturating_add(result.total, function.total);
    result.head = saturating_add(result.head, function.head);
  }
  auto end = functions.begin() + static_cast<ptrdiff_t>(std::min(top, functions.size()));
  std::partial_sort(functions.begin(), end, functions.end(),
                    [](const Function& a, const Function& b) {
                      return a.total != b.total ? a.total > b.total : a.name < b.name;
                    });
  result.hottest.assign(std::make_move_iterator(functions.begin()), std::make_move_iterator(end));
  return result;
}

Format format_of(LlvmSampleFormat form) {
  switch (form) {
    case LlvmSampleFormat::kExtBinary: break;
    case LlvmSampleFormat::kBinary: return Format::kLlvmBinary;
    case LlvmSampleFormat::kText: return Format::kLlvmText;
  }
  return Format::kLlvm;
}

// Functions that the profile knows only where they were inlined: `pgo match` counts them as well.
uint64_t count_inlined_only(const LlvmSampleFile& file) {
  if (file.is_context_sensitive) return 0;  // one function may be there several times
  return wanted_functions(file.profile).guids.size() - file.profile.function_count();
}

uint64_t count_without_checksum(const SourceProfile& profile) {
  if (!profile.is_probe_based) return 0;
  return static_cast<uint64_t>(
      std::count_if(profile.functions().begin(), profile.functions().end(),
                    [](const auto& one) { return one.second.getFunctionHash() == 0; }));
}

std::vector<Function> functions_of(const SourceProfile& profile) {
  std::vector<Function> functions;
  for (const auto& [key, samples] : profile.functions()) {
    Function function{sample_function_name(samples), samples.getTotalSamples(),
                      samples.getHeadSamples()};
    if (profile.is_probe_based) function.checksum = samples.getFunctionHash();
    functions.push_back(std::move(function));
  }
  return functions;
}

constexpr GccAutoProfile::Place kDiscriminator = 0xffff;

bool has_discriminators(const GccAutoProfile::Body& body) {
  return std::any_of(body.positions.begin(), body.positions.end(),
                     [](const auto& one) { return (one.first & kDiscriminator) != 0; }) ||
         std::any_of(body.inlined.begin(), body.inlined.end(), [](const auto& one) {
           return (one.first.first & kDiscriminator) != 0 || has_discriminators(one.second);
         });
}

}  // namespace

Result<LlvmContents> read_llvm_contents(Bytes bytes, const std::string& path, size_t top,
                                        unsigned jobs) {
  PGO_TRY(LlvmSampleFile file, read_llvm_sample(bytes, path));
  LlvmContents contents;
  contents.format = format_of(file.format);
  contents.diagnostics = file.profile.diagnostics;
  contents.is_probe_based = file.profile.is_probe_based;
  contents.is_context_sensitive = file.is_context_sensitive;
  contents.is_pre_inlined = file.is_pre_inlined;
  contents.is_flow_sensitive = file.profile.is_flow_sensitive;
  contents.names_are_hashes = file.names_are_hashes;
  contents.functions = sum_up(functions_of(file.profile), top);
  contents.inlined_functions = count_inlined_only(file);
  contents.functions_without_checksum = count_without_checksum(file.profile);
  contents.density = file.profile.density(jobs);
  contents.cutoffs = std::move(file.cutoffs);
  return contents;
}

Result<GccContents> read_gcc_contents(Bytes bytes, const std::string& path, size_t top) {
  PGO_TRY(GccAutoProfile profile, parse_gcc_auto_profile(bytes, path));
  GccContents contents;
  std::vector<Function> functions;
  for (const auto& [name, function] : profile.functions) {
    functions.push_back({name, function.body.total(), function.head});
    contents.has_discriminators |= has_discriminators(function.body);
  }
  contents.functions = sum_up(std::move(functions), top);
  return contents;
}

}  // namespace pgo
