// Other tools that make LLVM profiles, behind our command line: to migrate from them step by step,
// and to check what we make against what they make. They take one recording and one binary, and are
// looked for in PATH and where Debian's packages of LLVM 22 put them.
//
//   PGO_TRY(PeerEngine peer, PeerEngine::find("llvm-profgen", options));
//   PGO_TRY(std::string profile, peer.run(LlvmSampleFormat::kText));
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "converters/llvm_sample/llvm_sample_format.h"
#include "pgo/base/result.h"
#include "pgo/cli/convert_options.h"
#include "pgo/symbolize/profile_difference.h"

namespace pgo {

class PeerEngine {
 public:
  static std::vector<std::string> names();  // "llvm-profgen", "create_llvm_prof"

  // Errors: kUsage when `options` ask for what the peer called `name` cannot do; kUnsupported when
  // it is not installed.
  static Result<PeerEngine> find(const std::string& name, const ConvertOptions& options);

  const std::string& program() const { return program_; }
  // kUnsupported when the peer does not write this form.
  Result<void> check_format(LlvmSampleFormat format) const;
  // Its profile, in one of its forms. Errors: what it says when it fails; kEmpty when it makes a
  // profile of nothing.
  Result<std::string> run(LlvmSampleFormat format) const;

 private:
  std::string name_, program_;
  std::vector<std::string> arguments_;  // all but those for the output
};

// What there is to say when our profile and the peer's were compared: one line when they are
// identical, else a table of the largest differences.
std::string format_check(const ProfileDifference& difference, const std::string& peer);
nlohmann::json check_json(const ProfileDifference& difference, const std::string& peer);

}  // namespace pgo
