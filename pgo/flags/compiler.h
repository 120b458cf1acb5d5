// Compiler: a program that compiles C or C++, which family it is of, and which flags it accepts.
// That is tried by compiling a function: versions alone do not tell, since distributions patch and
// hidden options come and go.
//
//   PGO_TRY(std::optional<Compiler> compiler, identify_compiler("/usr/bin/clang-22"));
//   PGO_TRY(CompilerTrial trial, CompilerTrial::prepare());
//   PGO_TRY(bool known, trial.accepts(*compiler, {"-mllvm", "-icp-lto"}));
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "pgo/base/result.h"
#include "pgo/base/temporary_directory.h"
#include "pgo/flags/flag_table.h"

namespace pgo {

// No compiler needs so long for a function of one line.
inline constexpr std::chrono::seconds kCompilerTimeout{60};

struct Compiler {
  std::string program;  // its path
  std::string version;  // "22.1.8"
  CompilerFamily family = CompilerFamily::kClang;
};

// Nothing for a program that is neither clang nor GCC. Error: kIo when it cannot be run.
Result<std::optional<Compiler>> identify_compiler(const std::string& program);

// "clang" or "gcc".
const char* family_name(CompilerFamily family);

// A temporary directory with a function to compile.
class CompilerTrial {
 public:
  // Error: kIo for temporary files.
  static Result<CompilerTrial> prepare();

  // Whether it compiles with these options. Error: kIo when it cannot be run.
  Result<bool> accepts(const Compiler& compiler, const std::vector<std::string>& options) const;

  const std::string& source() const { return source_; }
  std::string file(const std::string& name) const { return directory_.file(name); }

 private:
  explicit CompilerTrial(TemporaryDirectory directory)
      : directory_(std::move(directory)), source_(directory_.file("f.c")) {}

  TemporaryDirectory directory_;
  std::string source_;
};

}  // namespace pgo
