#include "pgo/cli/compiler_check.h"

#include <chrono>
#include <optional>

#include "converters/gcc_auto/gcc_auto_profile.h"
#include "pgo/base/atomic_file.h"
#include "pgo/base/subprocess.h"
#include "pgo/base/temporary_directory.h"

namespace pgo {
namespace {

constexpr std::chrono::seconds kMostForCompiler{60};
constexpr std::string_view kSource = "int f(int x) { return x * 3; }\n";
constexpr std::string_view kClangProfile = "f:7700:77\n 0: 77\n";
constexpr uint64_t kGccCount = 77;

// An option that the CMake package and the documentation use, and what is lost without it.
struct HiddenOption {
  std::string_view option, loss;
};
constexpr HiddenOption kHiddenOptions[] = {
    {"-fdebug-info-for-profiling", "code of one line cannot be told apart in a profile"},
    {"-funique-internal-linkage-names", "static functions of one name share their counts"},
    {"-fpseudo-probe-for-profiling", "profiles by pseudo probe cannot be made or used"},
    {"-mllvm -pick-merged-source-locations",
     "calls that the compiler merges lose their line, and with it their targets"},
    {"-mllvm -trap-unreachable",
     "perf2bolt and llvm-bolt crash on code that ends with a call that never returns"},
    {"-mllvm -sample-profile-use-profi",
     "counts that samples do not show are not inferred as well"},
    {"-mllvm -enable-ext-tsp-block-placement",
     "more branches are taken: blocks are laid out less well"},
    {"-mllvm -icp-lto", "outside LTO, calls of static functions through pointers are not promoted"},
    {"-mllvm -inline-enable-cost-benefit-analysis",
     "hot calls of large functions are not inlined where it would pay"},
    {"-mllvm -salvage-stale-profile", "what a profile says of edited functions is lost"},
    {"-mllvm -persist-profile-staleness", "binaries cannot hold how much of the profile was stale"},
};

struct Compiler {
  std::string program, version;
  bool is_clang = false;
};

std::vector<std::string> words_of(std::string_view option) {
  std::vector<std::string> words;
  for (size_t space; (space = option.find(' ')) != std::string_view::npos;
       option.remove_prefix(space + 1))
    words.emplace_back(option.substr(0, space));
  words.emplace_back(option);
  return words;
}

std::string version_after(std::string_view text, std::string_view marker) {
  text = text.substr(0, text.find('\n'));
  size_t at = text.find(marker);
  if (at == std::string_view::npos) return "";
  text.remove_prefix(at + marker.size());
  return std::string(text.substr(0, text.find(' ')));
}

Result<std::optional<Compiler>> identify(const std::string& program) {
  PGO_TRY(Finished asked, run_subprocess_within(kMostForCompiler, {program, "--version"}));
  Compiler compiler{program, version_after(asked.output, "clang version "), true};
  if (compiler.version.empty()) {
    // "gcc (Debian 12.2.0-14) 12.2.0"; GCC alone has -dumpfullversion.
    PGO_TRY(Finished dumped,
            run_subprocess_within(kMostForCompiler, {program, "-dumpfullversion"}));
    std::string version = dumped.output.substr(0, dumped.output.find('\n'));
    bool is_gcc = dumped.exit_status == 0 && !version.empty() &&
                  version.find_first_not_of("0123456789.") == std::string::npos;
    if (!is_gcc) return std::optional<Compiler>();
    compiler = {program, version, false};
  }
  return std::optional<Compiler>(std::move(compiler));
}

class CompilerTrial {
 public:
  static Result<CompilerTrial> prepare() {
    PGO_TRY(TemporaryDirectory directory, TemporaryDirectory::make());
    PGO_CHECK(write_file_atomically(directory.file("f.c"), std::string(kSource)));
    PGO_CHECK(write_file_atomically(directory.file("f.proftext"), std::string(kClangProfile)));
    GccAutoProfile profile;
    profile.functions["f"].head = kGccCount;
    profile.functions["f"].body.positions[0].count = kGccCount;
    PGO_CHECK(write_file_atomically(directory.file("f.afdo"), write_gcc_auto_profile(profile)));
    return CompilerTrial(std::move(directory));
  }

  // What is wrong with how `compiler` applies a profile; empty: nothing.
  Result<std::string> apply_profile(const Compiler& compiler) const {
    PGO_TRY(Finished finished, run_subprocess_within(kMostForCompiler, profile_command(compiler)));
    if (finished.exit_status != 0) return last_words(finished);
    std::string_view sign =
        compiler.is_clang ? "\"function_entry_count\", i64 7" : "<bb 2> [count: 77]";
    if (finished.output.find(sign) == std::string::npos)
      return std::string("it compiles, but without the profile's counts");
    return std::string();
  }

  Result<bool> knows(const Compiler& compiler, const std::vector<std::string>& option) const {
    std::vector<std::string> command{compiler.program, "-O2", "-c"};
    command.insert(command.end(), option.begin(), option.end());
    command.insert(command.end(), {directory_.file("f.c"), "-o", directory_.file("f.o")});
    PGO_TRY(Finished finished, run_subprocess_within(kMostForCompiler, command));
    return finished.exit_status == 0;
  }

 private:
  explicit CompilerTrial(TemporaryDirectory directory) : directory_(std::move(directory)) {}

  // Prints code with counts on standard output.
  std::vector<std::string> profile_command(const Compiler& compiler) const {
    std::string source = directory_.file("f.c");
    if (compiler.is_clang)
      return {compiler.program,
              "-O2",
              "-gline-tables-only",
              "-S",
              "-emit-llvm",
              "-o",
              "-",
              "-fprofile-sample-use=" + directory_.file("f.proftext"),
              source};
    return {compiler.program,
            "-O2",
            "-g1",
            "-c",
            "-o",
            directory_.file("f.o"),
            "-fdump-tree-optimized-lineno=stdout",
            "-fauto-profile=" + directory_.file("f.afdo"),
            source};
  }

  TemporaryDirectory directory_;
};

Result<void> check_hidden_options(const CompilerTrial& trial, const Compiler& compiler,
                                  Diagnosis& diagnosis) {
  std::string known;
  for (const HiddenOption& hidden : kHiddenOptions) {
    std::string option(hidden.option);
    PGO_TRY(bool has, trial.knows(compiler, words_of(option)));
    if (has) {
      known += (known.empty() ? "" : "\n") + option;
      continue;
    }
    diagnosis.add({Verdict::kWarning, "clang option",
                   option + " is not known to " + compiler.program, std::string(hidden.loss)});
  }
  if (!known.empty()) diagnosis.ok("clang options", known);
  return ok();
}

// Whether it applies profiles.
Result<bool> check_compiler(const CompilerTrial& trial, const std::string& program,
                            Diagnosis& diagnosis) {
  PGO_TRY(std::optional<Compiler> compiler, identify(program));
  if (!compiler) {
    diagnosis.add({Verdict::kWarning, "compiler", program + " is neither clang nor GCC",
                   "profiles are applied by these two"});
    return false;
  }
  std::string topic = compiler->is_clang ? "clang" : "gcc";
  std::string what = compiler->version + " (" + compiler->program + ")";
  PGO_TRY(std::string wrong, trial.apply_profile(*compiler));
  if (!wrong.empty()) {
    diagnosis.add({Verdict::kWarning, topic, what + " does not apply a sample profile: " + wrong,
                   compiler->is_clang ? "use clang 22" : "use GCC 12 to 15"});
    return false;
  }
  diagnosis.ok(topic, what + " applies sample profiles");
  if (compiler->is_clang) PGO_CHECK(check_hidden_options(trial, *compiler, diagnosis));
  return true;
}

}  // namespace

Result<void> check_compilers(const std::vector<std::string>& programs,
                             const std::string& search_path, Diagnosis& diagnosis) {
  PGO_TRY(CompilerTrial trial, CompilerTrial::prepare());
  std::vector<std::string> found;
  for (const std::string& name : programs) {
    std::optional<std::string> program = find_program(name, search_path);
    if (!program)
      return fail(ErrorKind::kUsage, "--compiler " + name + ": there is no such program");
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
    PGO_TRY(bool applies, check_compiler(trial, program, diagnosis));
    any_applies |= applies;
  }
  if (!any_applies)
    diagnosis.add({Verdict::kMissing, "compiler",
                   found.empty() ? "neither clang nor gcc is in PATH"
                                 : "no compiler here applies sample profiles",
                   "install clang-22, or name a compiler with --compiler"});
  return ok();
}

}  // namespace pgo
