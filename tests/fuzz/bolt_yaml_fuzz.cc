// Any bytes as BOLT's YAML: an error, or functions whose sums the text can hold.
#include <cstdlib>

#include "bolt/bolt_yaml.h"

using namespace pgo;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Bytes bytes(data, size);
  BuildId id = bolt_yaml_build_id(bytes);
  Result<BoltYamlProfile> profile = parse_bolt_yaml(bytes, "fuzz");
  if (!profile) return 0;
  if (profile->build_id.hex() != id.hex()) std::abort();
  if (profile->functions.size() > size) std::abort();
  // Without a digit nothing is counted.
  bool has_digit = false;
  for (uint8_t byte : bytes) has_digit |= byte >= '0' && byte <= '9';
  for (const BoltYamlFunction& function : profile->functions)
    if (!has_digit && (function.count | function.entries | function.mispredicts) != 0) std::abort();
  return 0;
}
