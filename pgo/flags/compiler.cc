#include "pgo/flags/compiler.h"

#include <string_view>

#include "pgo/base/atomic_file.h"
#include "pgo/base/subprocess.h"

namespace pgo {
namespace {

std::string version_after(std::string_view text, std::string_view marker) {
  text = text.substr(0, text.find('\n'));
  size_t at = text.find(marker);
  if (at == std::string_view::npos) return "";
  text.remove_prefix(at + marker.size());
  return std::string(text.substr(0, text.find(' ')));
}

}  // namespace

Result<std::optional<Compiler>> identify_compiler(const std::string& program) {
  PGO_TRY(ProcessResult asked, run_subprocess_within(kCompilerTimeout, {program, "--version"}));
  std::string version = version_after(asked.output, "clang version ");
  if (!version.empty())
    return std::optional<Compiler>(Compiler{program, version, CompilerFamily::kClang});
  // "gcc (Debian 12.2.0-14) 12.2.0"; GCC alone has -dumpfullversion.
  PGO_TRY(ProcessResult dumped,
          run_subprocess_within(kCompilerTimeout, {program, "-dumpfullversion"}));
  version = dumped.output.substr(0, dumped.output.find('\n'));
  bool is_gcc = dumped.exit_status == 0 && !version.empty() &&
                version.find_first_not_of("0123456789.") == std::string::npos;
  if (!is_gcc) return std::optional<Compiler>();
  return std::optional<Compiler>(Compiler{program, version, CompilerFamily::kGcc});
}

const char* family_name(CompilerFamily family) {
  return family == CompilerFamily::kClang ? "clang" : "gcc";
}

Result<CompilerTrial> CompilerTrial::prepare() {
  PGO_TRY(TemporaryDirectory directory, TemporaryDirectory::make());
  CompilerTrial trial(std::move(directory));
  PGO_CHECK(write_file_atomically(trial.source(), "int f(int x) { return x * 3; }\n"));
  return trial;
}

Result<bool> CompilerTrial::accepts(const Compiler& compiler,
                                    const std::vector<std::string>& options) const {
  std::vector<std::string> command{compiler.program, "-O2", "-c"};
  command.insert(command.end(), options.begin(), options.end());
  command.insert(command.end(), {source_, "-o", file("f.o")});
  PGO_TRY(ProcessResult finished, run_subprocess_within(kCompilerTimeout, command));
  return finished.exit_status == 0;
}

}  // namespace pgo
