#include "bolt/bolt_tool.h"

#include <signal.h>

#include <algorithm>
#include <optional>
#include <ostream>
#include <string_view>

#include "pgo/elf/elf_image.h"
#include "pgo/elf/inflated_size.h"

namespace pgo {
namespace {

constexpr std::chrono::minutes kAnswerTimeout{1};

struct Refusal {
  std::string_view words, advice;
};
constexpr Refusal kRefusals[] = {
    {"was processed by BOLT",
     "give the binary from which BOLT made this one; recordings of this one are read when it was "
     "made with llvm-bolt -enable-bat, as 'pgo bolt' does"},
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
    "after a call that never returns; if that is the cause, build with \xFF{trap-unreachable} and "
    "record again";

bool says(const ProcessResult& finished, std::string_view words) {
  return finished.error.find(words) != std::string::npos ||
         finished.output.find(words) != std::string::npos;
}

}  // namespace

Result<std::string> find_named_tool(const std::string& program, const std::string& name) {
  std::optional<std::string> found = find_program(program, search_path_from_environment());
  if (!found) return fail(ErrorKind::kUnsupported, program + ": no such program; name " + name);
  return *std::move(found);
}

Result<std::string> ask_bolt_tool(const std::string& program, const std::string& question,
                                  std::chrono::milliseconds timeout) {
  timeout = std::min<std::chrono::milliseconds>(timeout, kAnswerTimeout);
  PGO_TRY(ProcessResult finished, run_subprocess_within(timeout, {program, question}));
  if (finished.timed_out)
    return fail(ErrorKind::kInput, program + " " + question + " did not end within " +
                                       std::to_string(timeout / std::chrono::seconds(1)) + " s");
  return std::move(finished.output);
}

Result<std::string> read_bolt_tool_version(const std::string& program, const std::string& name,
                                           std::chrono::milliseconds timeout) {
  const std::string question = "--version";
  PGO_TRY(std::string said, ask_bolt_tool(program, question, timeout));
  std::string_view text = said, marker = "LLVM version ";
  size_t place = std::min(text.find(marker), text.size());
  text.remove_prefix(std::min(place + marker.size(), text.size()));
  text = text.substr(0, text.find_first_of(" \n"));
  if (text.empty() || text[0] < '0' || text[0] > '9')
    return fail(ErrorKind::kUnsupported,
                program + " " + question + " names no LLVM version: is it " + name + "?");
  return std::string(text);
}

Result<ProcessResult> run_bolt_tool(const std::vector<std::string>& command,
                                    const std::string& binary, const ToolLimits& limits) {
  // What cannot be read here is the tool's to name.
  if (Result<ElfImage> image = ElfImage::open(binary)) PGO_CHECK(check_inflated_size(*image));
  PGO_TRY(ProcessResult finished, run_subprocess_within(limits.timeout, command));
  if (limits.log == nullptr) return finished;
  for (const std::string* said : {&finished.output, &finished.error})
    *limits.log << *said << (said->empty() || said->back() == '\n' ? "" : "\n");
  limits.log->flush();
  return finished;
}

Result<void> check_bolt_tool(const ProcessResult& finished, const std::string& program,
                             const std::string& binary, std::chrono::milliseconds timeout) {
  if (finished.timed_out)
    return fail(ErrorKind::kInput,
                program + " did not end within " +
                    std::to_string(timeout / std::chrono::seconds(1)) + " s on " + binary +
                    "; it printed last: " + stderr_tail(finished),
                "allow more time with \xFF{timeout}");
  if (finished.exit_status == 0) return ok();
  std::string what = finished.exit_status > 128
                         ? " crashed (signal " + std::to_string(finished.exit_status - 128)
                         : " failed (exit status " + std::to_string(finished.exit_status);
  std::string message = program + what + ") on " + binary + ": " + stderr_tail(finished);
  for (const Refusal& refusal : kRefusals)
    if (says(finished, refusal.words))
      return fail(ErrorKind::kUnsupported, message, std::string(refusal.advice));
  bool crashed = finished.exit_status == 128 + SIGSEGV;
  return fail(ErrorKind::kInput, message, crashed ? std::string(kCrashAdvice) : "");
}

}  // namespace pgo
