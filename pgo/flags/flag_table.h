// The table of compiler flags (compiler_flags.json, embedded in the program) as values: which flags
// make a build profilable, which apply a profile, and what is lost without each.
//
//   PGO_TRY(std::vector<CompilerFlag> table, compiler_flags());
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pgo/base/result.h"

namespace pgo {

enum class CompilerFamily { kClang, kGcc };

// A build that uses a profile needs the flags of both purposes.
enum class FlagPurpose { kProfilable, kProfile };

enum class FlagStep {
  kCompile,
  kLink,
  kLtoLink,  // the link, when it compiles: link-time optimization
};

enum class FlagCondition {
  kAlways,
  kWithoutDebugOption,  // when no -g option is given
  kProbes,              // for profiles by pseudo probe
  kBolt,                // when llvm-bolt is to work on the result
  kThinLto,
  kWithoutLto,
  kOnRequest,  // only a diagnosis needs it
};

struct CompilerFlag {
  CompilerFamily compiler = CompilerFamily::kClang;
  FlagPurpose purpose = FlagPurpose::kProfilable;
  std::vector<FlagStep> steps;
  FlagCondition when = FlagCondition::kAlways;
  // For the compiler, with "{profile}" for the path of the profile; or a hidden option of LLVM
  // without its dash, which compilers may not have.
  std::string option, llvm_option;
  std::string loss;  // what is lost without it, a sentence without a full stop

  bool is_for(FlagStep step) const;
  // The words of the command line in this step: {"-mllvm", "-icp-lto"}.
  std::vector<std::string> words(FlagStep step) const;
  // The words for the compiler, with spaces between them.
  std::string text() const;
};

// The embedded table. Error: kInternal, as parse_flag_table().
Result<std::vector<CompilerFlag>> compiler_flags();

// A table in JSON. Error: kInternal, with the flag that is wrong: the table is a part of the
// program.
Result<std::vector<CompilerFlag>> parse_flag_table(std::string_view json);

}  // namespace pgo
