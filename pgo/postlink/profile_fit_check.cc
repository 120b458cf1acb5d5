#include "pgo/postlink/profile_fit_check.h"

#include "pgo/base/number_text.h"
#include "pgo/binary/binary.h"
#include "pgo/profile/thresholds.h"
#include "pgo/source/file_identity.h"

namespace pgo {
namespace {

// Of a profile that pgo made from recordings with the build ID of the binary.
constexpr const char* kThoughRecorded =
    ", although its build ID was recorded, so llvm-bolt does not use them";
constexpr const char* kReadLog = "\xFF{log} saves what llvm-bolt prints about them";
constexpr const char* kNameEarlierBuild = "if you have that build, name it with \xFF{stale}";

// Fewer functions of the profile are in the binary than not.
bool is_of_other_program(const BoltLog& log) {
  return log.profiled_functions && log.absent_functions.value_or(0) > *log.profiled_functions;
}

std::string describe_stale(const BoltLog& log, const std::string& binary) {
  BoltLog::Share stale = log.stale_share();
  return format_percent(stale.part, stale.whole) +
         " of the profile's samples are in functions whose code differs in " + binary;
}

}  // namespace

Result<std::string> find_earlier_build(const ElfImage& input, const std::string& named) {
  if (named.empty()) return std::string();
  PGO_TRY(ElfImage image, open_elf(named));
  bool has_id = !input.build_id().empty();
  if (!is_same_file(named, input.path()))
    return has_id && image.build_id().matches(input.build_id()) ? std::string() : named;
  std::string id = has_id ? " (build ID " + input.build_id().hex() + ")" : "";
  return fail(
      ErrorKind::kMismatch, named + ": is this build itself" + id + ", not an earlier one",
      "name a copy of the build that was recorded, kept outside this build, with \xFF{stale}, "
      "or leave that out when this is the build that was recorded");
}

namespace {

Result<void> check_is_of(const BoltLog& log, const std::string& binary, BuildIdentity identity,
                         const std::string& advice) {
  if (log.profiled_functions == 0u)
    return fail(ErrorKind::kEmpty, "no function of the profile is in " + binary,
                "is the profile of this binary?");
  const uint64_t absent = log.absent_functions.value_or(0);
  if (is_of_other_program(log))
    return fail(ErrorKind::kMismatch,
                format_count(absent) + " functions of the profile are not in " + binary +
                    ", and only " + format_count(log.profiled_functions.value_or(0)) + " are",
                "is the profile of this program?");
  if (log.stale_share().value() > thresholds::kMaxStaleShare && !log.inferred_functions)
    return identity == BuildIdentity::kProven
               ? fail(ErrorKind::kMismatch, describe_stale(log, binary) + kThoughRecorded, kReadLog)
               : fail(ErrorKind::kMismatch,
                      describe_stale(log, binary) + ": it is of another build", advice);
  return ok();
}

}  // namespace

bool is_of_changed_code(const BoltLog& log) {
  return log.profiled_functions.value_or(0) != 0 && !is_of_other_program(log) &&
         log.stale_share().value() > thresholds::kMaxStaleShare;
}

Result<void> check_is_of(const BoltLog& log, const std::string& binary, const std::string& advice) {
  return check_is_of(log, binary, BuildIdentity::kAssumed, advice);
}

Result<CheckOutcome> check_profile_fit(const BoltLog& log, const std::string& binary,
                                       BuildIdentity identity, Diagnostics& diagnostics) {
  PGO_CHECK(check_is_of(log, binary, identity, kNameEarlierBuild));
  bool known = log.profiled_functions && (!log.stale_functions || log.samples);
  BoltLog::Share stale = log.stale_share(), exact = log.exact_share();
  if (!log.inferred_functions && stale.value() > thresholds::kHighStaleShare)
    diagnostics.warn("stale", identity == BuildIdentity::kProven
                                  ? describe_stale(log, binary) + kThoughRecorded + "; " + kReadLog
                                  : describe_stale(log, binary) +
                                        ", so they are not used: they are of another build; " +
                                        kNameEarlierBuild);
  if (log.inferred_functions && stale.value() > thresholds::kMaxStaleShare) {
    known = known && exact.whole != 0;
    if (exact.whole != 0 && exact.value() < thresholds::kMinExactSamples)
      return fail(ErrorKind::kMismatch,
                  describe_stale(log, binary) + ", and " + format_percent(exact.part, exact.whole) +
                      " of what ran there is in blocks that are unchanged: too little to match the "
                      "rest",
                  "is the profile of an earlier build of this program? a recording of this build "
                  "is better");
  }
  if (known) return CheckOutcome{Check::kProfile};
  return CheckOutcome{Check::kProfile, CheckOutcome::State::kUnknown,
                      "llvm-bolt did not print how much of the profile matches"};
}

}  // namespace pgo
