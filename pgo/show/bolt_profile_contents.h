// What BOLT's profiles hold: fdata, YAML, and the pre-aggregated traces that fdata is made from.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pgo/base/bytes.h"
#include "pgo/base/result.h"
#include "pgo/profile/address_profile.h"

namespace pgo {

struct BoltFunction {
  std::string name;
  uint64_t count = 0;  // of branches and fall-throughs, or of PC samples
  uint64_t mispredicts = 0;
};

struct FdataContents {
  bool has_pc_samples = false;  // PC samples instead of branches
  bool is_of_bolted_binary = false;
  std::vector<std::string> events;
  uint64_t branches = 0, samples = 0, memory_accesses = 0;  // records
  uint64_t total = 0, mispredicts = 0;                      // also of what is in no known function
  uint64_t functions = 0;
  std::vector<BoltFunction> hottest;  // by count, the largest first; equal ones by name
};

struct BoltYamlContents {
  std::string binary;           // name of the file; empty: not known
  std::string build_id;         // hexadecimal; empty: not known
  bool has_pc_samples = false;  // PC samples instead of branches
  uint64_t total = 0, mispredicts = 0;
  uint64_t entries = 0;  // calls of functions
  uint64_t functions = 0;
  std::vector<BoltFunction> hottest;  // by count, the largest first; equal ones as in the file
};

struct PreaggregatedContents {
  std::string build_id;  // hexadecimal; empty: not known
  std::vector<std::string> events;
  uint64_t records = 0;                 // lines
  uint64_t traces = 0;                  // different ones
  uint64_t total = 0, mispredicts = 0;  // branches
  uint64_t samples = 0;                 // PC samples
  std::vector<Trace> hottest;           // by count, the largest first; equal ones by address
};

// At most `top` functions or traces each. `path` is for messages. Error: kInput, with the line.
Result<FdataContents> read_fdata_contents(Bytes bytes, const std::string& path, size_t top);
Result<BoltYamlContents> read_bolt_yaml_contents(Bytes bytes, const std::string& path, size_t top);
Result<PreaggregatedContents> read_preaggregated_contents(Bytes bytes, const std::string& path,
                                                          size_t top);

}  // namespace pgo
