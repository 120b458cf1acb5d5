// Reference tools: other programs that make LLVM profiles, behind our request: to migrate from them
// step by step, and to check what we make against what they make. They take one recording and one
// binary, and are looked for in PATH and where Debian's packages of LLVM 22 put them.
//
//   PGO_TRY(ReferenceTool tool, ReferenceTool::find("llvm-profgen", request, files));
//   PGO_TRY(std::string profile, tool.run(LlvmSampleFormat::kText));
#pragma once

#include <string>
#include <vector>

#include "converters/llvm_sample/llvm_sample_format.h"
#include "pgo/base/result.h"
#include "pgo/convert/convert.h"
#include "pgo/source/input_files.h"

namespace pgo {

class ReferenceTool {
 public:
  static std::vector<std::string> names();  // "llvm-profgen", "create_llvm_prof"

  // `files` are the inputs of `request`. Errors: kUsage when it asks for what the tool called
  // `name` cannot do; kUnsupported when the tool is not installed.
  static Result<ReferenceTool> find(const std::string& name, const ConvertRequest& request,
                                    const std::vector<InputFile>& files);

  const std::string& program() const { return program_; }
  // kUnsupported when the tool does not write this form.
  Result<void> check_format(LlvmSampleFormat format) const;
  // Its profile, in one of its forms. Errors: what it says when it fails; kEmpty when it makes a
  // profile of nothing.
  Result<std::string> run(LlvmSampleFormat format) const;

 private:
  std::string name_, program_;
  std::vector<std::string> arguments_;  // all but those for the output
};

// What a reference tool made instead of us.
struct ReferenceOutputs {
  std::string program;
  std::vector<OutputFile> outputs;
};

// Every output of `request`, made by the tool called `name`. Errors: those of ReferenceTool; kUsage
// for an output that is no LLVM profile.
Result<ReferenceOutputs> convert_with(const std::string& name, const ConvertRequest& request);

}  // namespace pgo
