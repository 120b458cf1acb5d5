// What a file is: the answers of `pgo show`, one function for each kind of file that is known. Each
// makes the same answer twice: for people (names demangled, the largest first, not all of it) and
// as JSON (raw names, exact figures).
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "pgo/base/bytes.h"
#include "pgo/base/result.h"
#include "pgo/symbolize/debug_file.h"

namespace pgo {

struct DescribeOptions {
  std::vector<std::string> binaries;  // what ran, to look into a recording
  DebugPlaces debug;
  std::string event;  // of a recording; empty: the one with branch stacks
  unsigned jobs = 0;  // threads; 0: all cores
  size_t top = 10;    // lines of each table
};

struct Description {
  nlohmann::json json;
  std::string text;
};

// `path` names the file in the answer and in messages; `bytes` are its contents.
Result<Description> describe_recording(Bytes bytes, const std::string& path,
                                       const DescribeOptions& options);
Result<Description> describe_llvm_sample(Bytes bytes, const std::string& path,
                                         const DescribeOptions& options);
Result<Description> describe_gcc_profile(Bytes bytes, const std::string& path,
                                         const DescribeOptions& options);
Result<Description> describe_fdata(Bytes bytes, const std::string& path,
                                   const DescribeOptions& options);
Result<Description> describe_bolt_yaml(Bytes bytes, const std::string& path,
                                       const DescribeOptions& options);
Result<Description> describe_preaggregated(Bytes bytes, const std::string& path,
                                           const DescribeOptions& options);
Result<Description> describe_address_profile(Bytes bytes, const std::string& path,
                                             const DescribeOptions& options);
// pprof, gperftools' CPU profiles, folded stacks.
Result<Description> describe_stacks(Bytes bytes, const std::string& path,
                                    const DescribeOptions& options);
Result<Description> describe_elf(Bytes bytes, const std::string& path,
                                 const DescribeOptions& options);
// The files below a directory.
Result<Description> describe_directory(const std::string& path, const DescribeOptions& options);
// Of `pgo convert --report`.
bool is_report(Bytes bytes);
Result<Description> describe_report(Bytes bytes, const std::string& path,
                                    const DescribeOptions& options);

// "12.3 MB".
std::string format_size(uint64_t bytes);
// A build id in hexadecimal, or "none".
std::string format_build_id(const std::string& hex);

}  // namespace pgo
