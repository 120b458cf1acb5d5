// The command line of `pgo convert`, as values.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "bolt/bolt_tool.h"

namespace pgo {

struct ConvertOptions {
  std::vector<std::string> assumed_build_ids;
  std::vector<std::string> binaries;
  bool by_line = false;
  std::string check_against;
  std::string comm;
  std::string compatibility;
  std::vector<std::string> debug_files;
  std::vector<std::string> debug_roots{"/usr/lib/debug"};
  std::string engine;
  std::string event;
  std::vector<std::string> inputs;
  unsigned jobs = 0;
  bool json = false;
  std::vector<std::string> outputs;
  std::string perf2bolt;
  std::vector<uint32_t> pids;
  std::string report;
  std::string time;
  bool without_lines = false;
  unsigned timeout = kMostForBoltTool.count();  // seconds, for perf2bolt

  std::chrono::seconds most() const { return std::chrono::seconds(timeout); }
  bool as_llvm_profgen() const { return compatibility == "llvm-profgen"; }
};

}  // namespace pgo
