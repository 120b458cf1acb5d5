// llvm-bolt: the program that optimizes a linked binary by a profile. Found, asked what it can do,
// run with its files in a directory of their own. What comes out is bytes and figures; nothing here
// believes that the bytes are a working program (bolt_check.h, loader_start.h).
//
//   PGO_TRY(LlvmBolt tool, find_llvm_bolt({}));
//   BoltArguments arguments = choose_bolt_options(tool.supported, {}, {});
//   PGO_TRY(BoltedBinary result, run_llvm_bolt(tool, {.input = "./server", ...}));
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "bolt/bolt_log.h"
#include "bolt/bolt_options.h"
#include "bolt/bolt_tool.h"
#include "pgo/base/mapped_file.h"
#include "pgo/base/result.h"
#include "pgo/base/temporary_directory.h"

namespace pgo {

struct LlvmBolt {
  std::string program;  // its path
  std::string version;  // "22.1.8"
  SupportedOptions supported;
};

struct LlvmBoltSearch {
  std::string program;  // the one to take, by path or by name in PATH; empty: search
  std::string beside;   // a perf2bolt beside which one is looked for after PATH; may be empty
  // Directories separated by colons. Empty: those of PATH, then where Debian's packages of LLVM 22
  // put it.
  std::string path;
  std::chrono::milliseconds timeout = kDefaultTimeout;  // time that one has to answer
};

// Errors: kUnsupported when there is none, or it is no llvm-bolt; says what to install.
Result<LlvmBolt> find_llvm_bolt(const LlvmBoltSearch& search);

struct BoltRun {
  std::string input;         // path of the ELF file
  std::string_view profile;  // contents: fdata or YAML
  std::vector<std::string> options;
  ToolLimits limits = {};
};

// What llvm-bolt wrote, unchecked. The file lives as long as this.
struct BoltedBinary {
  TemporaryDirectory directory;
  MappedFile file;
  BoltLog log;
};

// Errors: kIo for the files; kUnsupported for what llvm-bolt refuses, with its words and what to
// do; kInput when it fails, crashes or does not end, with the end of what it said.
Result<BoltedBinary> run_llvm_bolt(const LlvmBolt& tool, const BoltRun& run);

struct BoltYaml {
  std::string contents;
  BoltLog log;  // how the counts fit run.input
};

// The counts of run.profile, which is fdata, as BOLT's YAML: by hashes of run.input's blocks,
// through which they can be matched to another build. Errors as above.
Result<BoltYaml> make_bolt_yaml(const LlvmBolt& tool, const BoltRun& run);

}  // namespace pgo
