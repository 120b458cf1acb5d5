#include "pgo/flags/flags.h"

#include <algorithm>
#include <optional>

#include "pgo/base/subprocess.h"
#include "pgo/source/input_bytes.h"

namespace pgo {
namespace {

bool is_wanted(const CompilerFlag& flag, const Compiler& compiler, const FlagsRequest& request) {
  if (flag.compiler != compiler.family) return false;
  if (flag.purpose == FlagPurpose::kProfile && request.profile.empty()) return false;
  switch (flag.when) {
    case FlagCondition::kAlways:
    case FlagCondition::kWithoutDebugOption:
    case FlagCondition::kProbes: return true;
    case FlagCondition::kBolt: return request.bolt;
    case FlagCondition::kThinLto: return request.thin_lto;
    case FlagCondition::kWithoutLto: return !request.thin_lto;
    case FlagCondition::kOnRequest: return false;
  }
  return false;
}

ChosenFlag chosen(const CompilerFlag& flag, FlagStep step, const std::string& profile) {
  constexpr std::string_view kProfile = "{profile}";
  ChosenFlag result{flag.words(step), flag.loss};
  for (std::string& word : result.words)
    if (size_t at = word.find(kProfile); at != word.npos)
      word.replace(at, kProfile.size(), profile);
  return result;
}

// The profile must be of the kind that this compiler reads.
Result<void> check_profile(const std::string& path, const Compiler& compiler) {
  PGO_TRY(InputBytes input, InputBytes::open(path));
  if (!input.format()) return input.unknown();
  const bool is_clang = compiler.family == CompilerFamily::kClang;
  switch (*input.format()) {
    case Format::kLlvm:
    case Format::kLlvmBinary:
    case Format::kLlvmText:
      if (is_clang) return ok();
      break;
    case Format::kGcc:
    case Format::kGcc13:
      if (!is_clang) return ok();
      break;
    default: break;
  }
  return fail(ErrorKind::kMismatch,
              input.describe(", which " + compiler.program + " does not read"),
              std::string("convert the recordings with \xFF{output} ") +
                  (is_clang ? "FILE.prof, for clang" : "FILE.afdo, for GCC"));
}

// The flags for compiling that the compiler does not know. Mostly it knows all of them, and is
// asked once.
Result<std::vector<std::string>> find_unknown(const std::vector<CompilerFlag>& table,
                                              const Compiler& compiler,
                                              const FlagsRequest& request) {
  PGO_TRY(CompilerTrial trial, CompilerTrial::prepare());
  std::vector<const CompilerFlag*> tried;
  std::vector<std::string> all;
  for (const CompilerFlag& flag : table) {
    // A profile is there for the build; the flag that names it has no other spelling.
    if (!is_wanted(flag, compiler, request) || !flag.is_for(FlagStep::kCompile) ||
        flag.option.find('{') != std::string::npos)
      continue;
    tried.push_back(&flag);
    for (const std::string& word : flag.words(FlagStep::kCompile)) all.push_back(word);
  }
  std::vector<std::string> unknown;
  PGO_TRY(bool knows_all, trial.accepts(compiler, all));
  if (knows_all) return unknown;
  for (const CompilerFlag* flag : tried) {
    PGO_TRY(bool known, trial.accepts(compiler, flag->words(FlagStep::kCompile)));
    if (!known) unknown.push_back(flag->text());
  }
  return unknown;
}

}  // namespace

FlagsResult select_flags(const std::vector<CompilerFlag>& table, const Compiler& compiler,
                         const FlagsRequest& request, const std::vector<std::string>& unknown) {
  FlagsResult result;
  result.compiler = compiler;
  for (const CompilerFlag& flag : table) {
    if (!is_wanted(flag, compiler, request)) continue;
    if (std::find(unknown.begin(), unknown.end(), flag.text()) != unknown.end()) {
      result.unknown.push_back(chosen(flag, FlagStep::kCompile, request.profile));
      continue;
    }
    if (flag.is_for(FlagStep::kCompile))
      result.compile.push_back(chosen(flag, FlagStep::kCompile, request.profile));
    if (flag.is_for(FlagStep::kLink))
      result.link.push_back(chosen(flag, FlagStep::kLink, request.profile));
    if (request.thin_lto && flag.is_for(FlagStep::kLtoLink))
      result.link.push_back(chosen(flag, FlagStep::kLtoLink, request.profile));
  }
  return result;
}

Result<FlagsResult> choose_flags(const FlagsRequest& request) {
  PGO_TRY(std::vector<CompilerFlag> table, compiler_flags());
  std::optional<std::string> program = find_program(request.compiler, request.search_path);
  if (!program)
    return fail(ErrorKind::kUsage,
                "\xFF{compiler} " + request.compiler + ": there is no such program");
  PGO_TRY(std::optional<Compiler> compiler, identify_compiler(*program));
  if (!compiler)
    return fail(ErrorKind::kUnsupported, *program + " is neither clang nor GCC",
                "only these two can use a profile");
  if (request.thin_lto && compiler->family != CompilerFamily::kClang)
    return fail(ErrorKind::kUnsupported, *program + " is GCC, which has no ThinLTO",
                "leave out \xFF{thin-lto}, or name a clang");
  if (!request.profile.empty() && request.profile_exists)
    PGO_CHECK(check_profile(request.profile, *compiler));
  PGO_TRY(std::vector<std::string> unknown, find_unknown(table, *compiler, request));
  return select_flags(table, *compiler, request, unknown);
}

}  // namespace pgo
