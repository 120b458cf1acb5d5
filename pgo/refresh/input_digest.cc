#include "pgo/refresh/input_digest.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "pgo/base/sha256.h"
#include "pgo/base/time_text.h"

namespace pgo {

std::string digest_of_inputs(const ServiceConfig& service, const FetchResult& fetched,
                             const FoundBuilds& builds, const std::string& tool_version) {
  std::vector<std::string> lines;
  for (const FetchedProfile& profile : fetched.profiles)
    lines.push_back("profile " + profile.digest + " " + std::to_string(profile.weight.numerator) +
                    "/" + std::to_string(profile.weight.denominator));
  for (const FoundBuild& build : builds.builds)
    lines.push_back("build " + build.files.id.hex() + (build.files.debug.empty() ? "" : " debug") +
                    (build.files.prebolt.empty() ? "" : " prebolt"));
  for (const ServiceOutput output : service.outputs)
    lines.push_back("output " + std::to_string(static_cast<int>(output)));
  std::sort(lines.begin(), lines.end());
  std::string text =
      "pgo " + tool_version + "\nsample-type " + fetched.sample_type + "\nconfiguration " +
      service.configuration + "\ncompile-profile " +
      std::to_string(static_cast<int>(service.compile_profile)) + "\nrecorded-build " +
      std::to_string(static_cast<int>(service.recorded_build)) + "\ninferred-bolt-profile " +
      std::to_string(static_cast<int>(service.inferred_bolt)) + "\nblend " +
      std::to_string(service.blend_previous) + "\n";
  for (const std::string& line : lines) text += line + "\n";
  return Sha256::digest_of({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
}

std::string version_tag(const std::optional<TimeWindow>& window, const std::string& inputs) {
  constexpr size_t kDay = std::string_view("2026-11-26").size(),
                   kAlgorithm = std::string_view("sha256:").size(), kDigits = 8;
  return (window ? format_time(window->end).substr(0, kDay) : std::string("undated")) + "-" +
         inputs.substr(kAlgorithm, kDigits);
}

}  // namespace pgo
