#include "pgo/cli/build_fit.h"

#include <algorithm>
#include <cmath>

#include "pgo/cli/funnel.h"

namespace pgo {
namespace {

// A small part may be of an edit that moved little.
constexpr double kOtherBuild = .05, kOtherBuildOfBranches = .25;

double ratio(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

void warn_of_branches(AddressProfile& profile, const std::string& path) {
  uint64_t off = profile.branches[Dropped::kNotCode];
  double share = ratio(off, saturating_add(off, profile.branches.used));
  if (share > kOtherBuildOfBranches)
    profile.diagnostics.warn(kOtherBuildByCode,
                             path + ": " + format_share(share) +
                                 " of its branch records in the binary are at no instruction: "
                                 "another build ran; the others count, so leave the file out");
}

}  // namespace

const infer::FunctionSymbols& BuildFit::functions_of(const Binary& binary) {
  std::lock_guard lock(mutex_);
  return functions_.try_emplace(&binary, *binary.image, binary.symbol_image()).first->second;
}

// Of the samples in functions, those where no instruction starts. Elsewhere nobody knows: linkage
// tables and code without symbols are not decoded.
double BuildFit::share_off_instructions(const BinaryCounts& counts) {
  const Binary& binary = binaries_.of(counts);
  const infer::FunctionSymbols& functions = functions_of(binary);
  uint64_t all = 0, off = 0;
  for (const IpCount& ip : counts.ips) {
    if (!functions.find(ip.ip)) continue;
    all = saturating_add(all, ip.count);
    if (!binary.code->is_code(ip.ip)) off = saturating_add(off, ip.count);
  }
  return ratio(off, all);
}

void BuildFit::leave_out_other_builds(AddressProfile& profile, const std::string& path,
                                      const RecordedImages& images) {
  auto is_proven = [&](const BinaryCounts& counts) { return images.has_build(counts.id); };
  // Dropped branch records are not counted by binary.
  if (profile.branches.used != 0 &&
      std::none_of(profile.binaries.begin(), profile.binaries.end(), is_proven))
    warn_of_branches(profile, path);
  uint64_t all = 0, left_out = 0;
  for (BinaryCounts& counts : profile.binaries) {
    uint64_t weight = counts.plain_weight();
    all = saturating_add(all, weight);
    if (weight == 0 || is_proven(counts)) continue;
    double share = share_off_instructions(counts);
    if (share <= kOtherBuild) continue;
    profile.diagnostics.warn(
        kOtherBuildByCode,
        path + ": " + format_share(share) + " of its samples in functions of " + counts.path_hint +
            " are where no instruction starts; another build ran, and they are not used");
    left_out = saturating_add(left_out, weight);
    counts.ips.clear();
    counts.calls.clear();
  }
  // Counts are sums of periods, of which nobody knows any more how many samples they were.
  uint64_t& plain = profile.samples[Dropped::kWithoutStack];
  auto samples =
      static_cast<uint64_t>(std::round(static_cast<double>(plain) * ratio(left_out, all)));
  samples = std::min(samples, plain);
  plain -= samples;
  uint64_t& other = profile.samples[Dropped::kBuildIdMismatch];
  other = saturating_add(other, samples);
}

}  // namespace pgo
