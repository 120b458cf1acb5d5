#include "pgo/doctor/compiler_check.h"

#include <optional>
#include <string_view>

#include "converters/gcc_auto/gcc_auto_profile.h"
#include "pgo/base/atomic_file.h"
#include "pgo/base/subprocess.h"
#include "pgo/flags/compiler.h"

namespace pgo {
namespace {

// Profiles of the function in CompilerTrial, for clang and GCC.
constexpr std::string_view kClangProfile = "f:7700:77\n 0: 77\n";
constexpr uint64_t kGccCount = 77;

// The command that compiles the function with a profile and prints code with counts.
Result<std::vector<std::string>> profile_command(const CompilerTrial& trial,
                                                 const Compiler& compiler) {
  if (compiler.family == CompilerFamily::kClang) {
    const std::string profile = trial.file("f.proftext");
    PGO_CHECK(write_file_atomically(profile, std::string(kClangProfile)));
    return std::vector<std::string>{compiler.program,
                                    "-O2",
                                    "-gline-tables-only",
                                    "-S",
                                    "-emit-llvm",
                                    "-o",
                                    "-",
                                    "-fprofile-sample-use=" + profile,
                                    trial.source()};
  }
  const std::string profile = trial.file("f.afdo");
  GccAutoProfile counts;
  counts.functions["f"].head = kGccCount;
  counts.functions["f"].body.positions[0].count = kGccCount;
  PGO_CHECK(write_file_atomically(profile, write_gcc_auto_profile(counts)));
  return std::vector<std::string>{compiler.program,
                                  "-O2",
                                  "-g1",
                                  "-c",
                                  "-o",
                                  trial.file("f.o"),
                                  "-fdump-tree-optimized-lineno=stdout",
                                  "-fauto-profile=" + profile,
                                  trial.source()};
}

// What is wrong with how `compiler` applies a profile; empty: nothing.
Result<std::string> apply_profile(const CompilerTrial& trial, const Compiler& compiler) {
  PGO_TRY(std::vector<std::string> command, profile_command(trial, compiler));
  PGO_TRY(ProcessResult finished, run_subprocess_within(kCompilerTimeout, command));
  if (finished.exit_status != 0) return stderr_tail(finished);
  std::string_view sign = compiler.family == CompilerFamily::kClang
                              ? "\"function_entry_count\", i64 7"
                              : "<bb 2> [count: 77]";
  if (finished.output.find(sign) == std::string::npos)
    return std::string("it compiles, but does not use the profile's counts");
  return std::string();
}

// The flags of the table that clang may not have: those for compiling that need no profile.
Result<void> check_flags(const CompilerTrial& trial, const Compiler& compiler, Findings& findings) {
  PGO_TRY(std::vector<CompilerFlag> table, compiler_flags());
  std::string known;
  for (const CompilerFlag& flag : table) {
    if (flag.compiler != compiler.family || !flag.is_for(FlagStep::kCompile) ||
        flag.option.find('{') != std::string::npos)
      continue;
    PGO_TRY(bool accepted, trial.accepts(compiler, flag.words(FlagStep::kCompile)));
    if (accepted)
      known += (known.empty() ? "" : "\n  ") + flag.text();
    else
      findings.add({Verdict::kWarning, "clang option",
                    flag.text() + " is not supported by " + compiler.program, flag.loss});
  }
  if (!known.empty()) findings.ok("clang options", known);
  return ok();
}

// Whether it applies profiles.
Result<bool> check_compiler(const CompilerTrial& trial, const std::string& program,
                            Findings& findings) {
  PGO_TRY(std::optional<Compiler> compiler, identify_compiler(program));
  if (!compiler) {
    findings.add({Verdict::kWarning, "compiler", program + " is neither clang nor GCC",
                  "only these two can use a profile"});
    return false;
  }
  const bool is_clang = compiler->family == CompilerFamily::kClang;
  std::string topic = family_name(compiler->family);
  std::string what = compiler->version + " (" + compiler->program + ")";
  PGO_TRY(std::string wrong, apply_profile(trial, *compiler));
  if (!wrong.empty()) {
    findings.add({Verdict::kWarning, topic, what + " cannot use a sample profile: " + wrong,
                  is_clang ? "use clang 22" : "use GCC 12 to 15"});
    return false;
  }
  findings.ok(topic, what + " can use sample profiles");
  if (is_clang) PGO_CHECK(check_flags(trial, *compiler, findings));
  return true;
}

}  // namespace

Result<void> check_compilers(const std::vector<std::string>& programs,
                             const std::string& search_path, Findings& findings) {
  PGO_TRY(CompilerTrial trial, CompilerTrial::prepare());
  std::vector<std::string> found;
  for (const std::string& name : programs) {
    std::optional<std::string> program = find_program(name, search_path);
    if (!program)
      return fail(ErrorKind::kUsage, "\xFF{compiler} " + name + ": there is no such program");
    found.push_back(*program);
  }
  if (programs.empty()) {
    std::optional<std::string> clang = find_program("clang-22", search_path);
    if (!clang) clang = find_program("clang", search_path);
    std::optional<std::string> gcc = find_program("gcc", search_path);
    for (const std::optional<std::string>& program : {clang, gcc})
      if (program) found.push_back(*program);
  }
  bool any_applies = false;
  for (const std::string& program : found) {
    PGO_TRY(bool applies, check_compiler(trial, program, findings));
    any_applies |= applies;
  }
  if (!any_applies)
    findings.add({Verdict::kMissing, "compiler",
                  found.empty() ? "neither clang nor gcc is in PATH"
                                : "no compiler here can use sample profiles",
                  "install clang-22, or name a compiler with \xFF{compiler}"});
  return ok();
}

}  // namespace pgo
