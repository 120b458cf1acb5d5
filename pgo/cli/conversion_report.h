// What `pgo convert` did: figures as JSON, and notes and warnings to standard error.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bolt/perf2bolt.h"
#include "pgo/cli/plain_samples.h"
#include "pgo/cli/product.h"
#include "pgo/cli/profile_quality.h"
#include "pgo/profile/address_profile.h"
#include "pgo/symbolize/source_profile.h"

namespace pgo {

// What became of the inputs.
struct ConversionResult {
  AddressProfile profile;               // without counts once `source` is made of them
  std::vector<std::string> unused;      // inputs that gave nothing, and why
  nlohmann::json counted;               // what was counted of each binary
  const char* grade = "lbr";            // or one of plain_samples.h
  std::optional<PlainSamples> plain;    // where counts were inferred from those
  std::optional<SourceProfile> source;  // once an output needed it
  ProfileQuality quality;
};

// Path, size and digest, by which the CMake package knows the report of a profile.
nlohmann::json output_json(const Product& product);
nlohmann::json conversion_json(const ConversionResult& result,
                               const std::vector<Product>& products);
void print_conversion(const ConversionResult& result);

// What perf2bolt said of the profile that goes to `path`.
nlohmann::json perf2bolt_json(const Perf2boltOutput& output);
void print_perf2bolt(const std::string& path, const Perf2boltOutput& output);
void print_perf2bolt_errors(const Perf2boltOutput& output);

}  // namespace pgo
