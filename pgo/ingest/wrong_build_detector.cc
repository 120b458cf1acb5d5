#include "pgo/ingest/wrong_build_detector.h"

#include <algorithm>
#include <optional>

#include "pgo/base/number_text.h"
#include "pgo/profile/thresholds.h"

namespace pgo {
namespace {

double ratio(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

// What to say of the branch records when another build seems to have run.
std::optional<std::string> judge_branches(const AddressProfile& profile, const std::string& path) {
  uint64_t off = profile.branches[Dropped::kNotCode];
  double share = ratio(off, saturating_add(off, profile.branches.used));
  if (share <= thresholds::kOtherBuildBranchRecords) return std::nullopt;
  return path + ": " + format_share(share) +
         " of its branch records in the binary are not at an instruction: another build ran; the "
         "others are used, so leave this file out";
}

}  // namespace

const FunctionSymbols& WrongBuildDetector::functions_of(size_t index) {
  const Binary& binary = binaries_.binaries()[index];
  std::lock_guard lock(mutex_);
  return functions_.try_emplace(index, *binary.image, binary.symbol_image()).first->second;
}

// The share of the samples in functions at whose address no instruction starts. Other samples do
// not count: linkage tables and code without symbols are not decoded.
Result<double> WrongBuildDetector::share_off_instructions(const BinaryCounts& counts) {
  PGO_TRY(size_t index, binaries_.index_of(counts));
  const Binary& binary = binaries_.binaries()[index];
  const FunctionSymbols& functions = functions_of(index);
  uint64_t all = 0, off = 0;
  for (const PcSample& sample : counts.pc_samples) {
    if (!functions.find(sample.pc)) continue;
    all = saturating_add(all, sample.weight);
    if (!binary.code->is_code(sample.pc)) off = saturating_add(off, sample.weight);
  }
  return ratio(off, all);
}

Result<std::vector<std::string>> WrongBuildDetector::leave_out_other_builds(
    AddressProfile& profile, const std::string& path, const RecordedImages& images) {
  std::vector<std::string> found;
  auto is_proven = [&](const BinaryCounts& counts) { return images.has_build(counts.id); };
  // Dropped branch records are not counted by binary.
  if (profile.branches.used != 0 &&
      std::none_of(profile.binaries.begin(), profile.binaries.end(), is_proven))
    if (auto warning = judge_branches(profile, path)) found.push_back(*warning);
  uint64_t left_out = 0;
  for (BinaryCounts& counts : profile.binaries) {
    if (counts.pc_samples.empty() || is_proven(counts)) continue;
    PGO_TRY(double share, share_off_instructions(counts));
    if (share <= thresholds::kOtherBuildPcSamples) continue;
    found.push_back(
        path + ": " + format_share(share) + " of its samples in functions of " + counts.path_hint +
        " are not at the start of an instruction; another build ran, and they are not used");
    left_out = saturating_add(left_out, counts.pc_sample_count());
    counts.pc_samples.clear();
    counts.calls.clear();
  }
  for (const std::string& warning : found) profile.diagnostics.warn("other-build-by-code", warning);
  // Where counts were scaled, the rows may add up to more than all samples.
  left_out = std::min(left_out, profile.samples.pending);
  profile.samples.pending -= left_out;
  uint64_t& other = profile.samples[Dropped::kBuildIdMismatch];
  other = saturating_add(other, left_out);
  return found;
}

}  // namespace pgo
