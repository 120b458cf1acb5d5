#include "bolt/bolt_tool.h"

#include <signal.h>

#include <algorithm>
#include <ostream>
#include <string_view>

namespace pgo {
namespace {

constexpr std::chrono::minutes kMostForAnswer{1};

struct Refusal {
  std::string_view words, advice;
};
constexpr Refusal kRefusals[] = {
    {"was processed by BOLT",
     "give the binary that was BOLTed, as it was before; recordings of the BOLTed one are read "
     "when it was made with llvm-bolt -enable-bat, as 'pgo bolt' does"},
    {"stripped binaries are not supported", "give the binary before stripping"},
    {"only works when relocations are enabled",
     "link with -Wl,--emit-relocs (or -Wl,-q), which keeps relocations in the file"},
    {"no valid profile data found", "the profile has nothing that llvm-bolt can read"},
    {"not recognized as a valid object file", "give an ELF binary"},
    {"parent function not found",
     "compile with -fno-reorder-blocks-and-partition, which keeps functions whole"},
};

// It may be another crash: only where another function is such does a warning of it come before.
constexpr std::string_view kCrashAdvice =
    "LLVM 22 crashes where the last function of .text jumps past its end, as clang's code may "
    "behind a call that never returns; if it is that, build with -mllvm -trap-unreachable "
    "(prodpgo_profilable of the CMake package does) and record again";

bool says(const Finished& finished, std::string_view words) {
  return finished.error.find(words) != std::string::npos ||
         finished.output.find(words) != std::string::npos;
}

}  // namespace

Result<std::string> ask_bolt_tool(const std::string& program, const std::string& question,
                                  std::chrono::milliseconds most) {
  most = std::min<std::chrono::milliseconds>(most, kMostForAnswer);
  PGO_TRY(Finished finished, run_subprocess_within(most, {program, question}));
  if (finished.timed_out)
    return fail(ErrorKind::kInput, program + " " + question + " did not end within " +
                                       std::to_string(most / std::chrono::seconds(1)) + " s");
  return std::move(finished.output);
}

Result<std::string> read_bolt_tool_version(const std::string& program, const std::string& name,
                                           std::chrono::milliseconds most) {
  PGO_TRY(std::string said, ask_bolt_tool(program, "--version", most));
  std::string_view text = said, marker = "LLVM version ";
  size_t place = std::min(text.find(marker), text.size());
  text.remove_prefix(std::min(place + marker.size(), text.size()));
  text = text.substr(0, text.find_first_of(" \n"));
  if (text.empty() || text[0] < '0' || text[0] > '9')
    return fail(ErrorKind::kUnsupported,
                program + " --version names no LLVM version: is it " + name + "?");
  return std::string(text);
}

Result<Finished> run_bolt_tool(const std::vector<std::string>& command,
                               const BoltToolTerms& terms) {
  PGO_TRY(Finished finished, run_subprocess_within(terms.most, command));
  if (terms.log == nullptr) return finished;
  for (const std::string* said : {&finished.output, &finished.error})
    *terms.log << *said << (said->empty() || said->back() == '\n' ? "" : "\n");
  terms.log->flush();
  return finished;
}

Result<void> check_bolt_tool(const Finished& finished, const std::string& program,
                             const std::string& binary, std::chrono::milliseconds most) {
  if (finished.timed_out)
    return fail(ErrorKind::kInput, program + " did not end within " +
                                       std::to_string(most / std::chrono::seconds(1)) +
                                       " s (--timeout; in CMake: BOLT_TIMEOUT) on " + binary +
                                       "; its last words: " + last_words(finished));
  if (finished.exit_status == 0) return ok();
  std::string what = finished.exit_status > 128
                         ? " crashed (signal " + std::to_string(finished.exit_status - 128)
                         : " failed (exit status " + std::to_string(finished.exit_status);
  std::string message = program + what + ") on " + binary + ": " + last_words(finished);
  for (const Refusal& refusal : kRefusals)
    if (says(finished, refusal.words))
      return fail(ErrorKind::kUnsupported, message + ": " + std::string(refusal.advice));
  if (finished.exit_status == 128 + SIGSEGV) message += ": " + std::string(kCrashAdvice);
  return fail(ErrorKind::kInput, message);
}

}  // namespace pgo
