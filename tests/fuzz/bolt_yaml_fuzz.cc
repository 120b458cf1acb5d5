// Any bytes as BOLT's YAML: an error, or the functions and sums that a plain reading finds, word by
// word and with nothing but digits for a number.
#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "converters/bolt_yaml/bolt_yaml.h"
#include "pgo/profile/accounting.h"

using namespace pgo;

namespace {

struct Sums {
  uint64_t functions = 0, entries = 0, count = 0, mispredicts = 0;
  bool operator==(const Sums&) const = default;
};

// Of "10", "10," and "10}".
uint64_t number(const std::string& word) {
  size_t digits = std::min(word.find_first_not_of("0123456789"), word.size());
  if (digits == 0) std::abort();
  if (digits < word.size() && std::string(",}]\r").find(word[digits]) == std::string::npos)
    std::abort();
  return std::strtoull(word.c_str(), nullptr, 10);
}

Sums read_plainly(const std::string& text) {
  Sums sums;
  bool is_in_functions = false;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(' ')) is_in_functions = line.starts_with("functions:");
    if (!is_in_functions) continue;
    if (line.starts_with("  - name:")) {
      sums.functions++;
      continue;
    }
    if (sums.functions == 0) continue;
    if (line.starts_with("    exec:")) {
      size_t value = line.find_first_not_of(' ', 9);
      if (value == std::string::npos) std::abort();
      std::string word = line.substr(value);
      sums.entries = saturating_add(sums.entries, number(word.substr(0, word.find(' '))));
      continue;
    }
    std::replace(line.begin(), line.end(), '\0', '?');
    for (size_t at = line.find_first_not_of(' '); at != std::string::npos;) {
      size_t end = std::min(line.find(' ', at), line.size());
      std::string word = line.substr(at, end - at);
      size_t next = line.find_first_not_of(' ', end);
      bool counts = word == "cnt:" || word == "events:", misses = word == "mis:";
      if (at > 0 && end < line.size() && (counts || misses)) {
        if (next == std::string::npos) std::abort();
        uint64_t value = number(line.substr(next, line.find(' ', next) - next));
        uint64_t& sum = counts ? sums.count : sums.mispredicts;
        sum = saturating_add(sum, value);
      }
      at = next;
    }
  }
  return sums;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Bytes bytes(data, size);
  BuildId id = bolt_yaml_build_id(bytes);
  Result<BoltYamlProfile> profile = parse_bolt_yaml(bytes, "fuzz");
  if (!profile) return 0;
  if (profile->build_id.hex() != id.hex()) std::abort();
  Sums sums;
  for (const BoltYamlFunction& function : profile->functions) {
    if (bolt_yaml_scalar(function.name).size() > function.name.size()) std::abort();
    sums.functions++;
    sums.entries = saturating_add(sums.entries, function.entries);
    sums.count = saturating_add(sums.count, function.count);
    sums.mispredicts = saturating_add(sums.mispredicts, function.mispredicts);
  }
  if (sums != read_plainly(std::string(reinterpret_cast<const char*>(data), size))) std::abort();
  return 0;
}
