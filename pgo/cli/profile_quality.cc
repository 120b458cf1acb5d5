#include "pgo/cli/profile_quality.h"

#include <algorithm>
#include <cstdio>
#include <string_view>

namespace pgo {
namespace {

// From what density on llvm-profgen asks for no more samples, and parts of it.
struct Class {
  double least_density;
  const char* name;
};
constexpr Class kClasses[] = {{50, "good"}, {10, "fair"}, {2, "thin"}, {0, "weak"}};

std::string format(const char* how, double value) {
  char text[32];
  std::snprintf(text, sizeof text, how, value);
  return text;
}

// From best to worst.
size_t rank_of(const char* name) {
  return static_cast<size_t>(
      std::find_if(std::begin(kClasses), std::end(kClasses),
                   [&](const Class& c) { return std::string_view(c.name) == name; }) -
      std::begin(kClasses));
}

}  // namespace

ProfileQuality judge_quality(const std::optional<PlainSamples>& plain, double density,
                             std::optional<double> split_half_overlap) {
  ProfileQuality quality;
  quality.density = density;
  quality.split_half_overlap = split_half_overlap;
  if (plain)
    quality.name = class_of(*plain);
  else if (density > 0)
    quality.name = std::find_if(std::begin(kClasses), std::end(kClasses), [&](const Class& c) {
                     return density >= c.least_density;
                   })->name;
  return quality;
}

const char* better_class_of(uint64_t plain_samples, const ProfileQuality& quality) {
  if (quality.name == nullptr) return nullptr;
  const char* name = class_of(plain_samples);
  return rank_of(name) < rank_of(quality.name) ? name : nullptr;
}

nlohmann::json quality_json(const ProfileQuality& quality) {
  nlohmann::json json = nlohmann::json::object();
  if (quality.name != nullptr) json["class"] = quality.name;
  if (quality.density > 0) json["density"] = format("%.1f", quality.density);
  if (quality.split_half_overlap)
    json["split_half_overlap"] = format("%.3f", *quality.split_half_overlap);
  return json;
}

}  // namespace pgo
