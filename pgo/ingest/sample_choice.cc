#include "pgo/ingest/sample_choice.h"

namespace pgo {
namespace {

std::string with_article(const std::string& kind) {
  const bool has_vowel = std::string("aeiou").find(kind[0]) != std::string::npos;
  return (has_vowel ? "an " : "a ") + kind;
}

}  // namespace

Result<void> refuse_sample_choice(const std::string& path, const std::string& kind,
                                  const std::string& advice,
                                  const perf_data::ReadOptions& options) {
  const std::string is = path + ": is " + with_article(kind);
  if (options.compatibility == perf_data::Compatibility::kLlvmProfgen)
    return fail(ErrorKind::kUsage,
                is + ", and \xFF{compat} counts as llvm-profgen does, which reads recordings only");
  const char* option = !options.pids.empty()   ? "\xFF{pid}"
                       : !options.comm.empty() ? "\xFF{comm}"
                       : options.time          ? "\xFF{time}"
                                               : nullptr;
  if (option == nullptr) return ok();
  return fail(ErrorKind::kUsage, is + ", to which " + option + " does not apply", advice);
}

Result<void> refuse_any_choice(const std::string& path, const std::string& kind,
                               const std::string& advice, const perf_data::ReadOptions& options) {
  PGO_CHECK(refuse_sample_choice(path, kind, advice, options));
  if (options.events.empty()) return ok();
  return fail(ErrorKind::kUsage,
              path + ": is " + with_article(kind) + ", to which \xFF{event} does not apply",
              advice);
}

}  // namespace pgo
