#include "pgo/ingest/low_yield.h"

#include <algorithm>

#include "converters/perf_data/recording.h"
#include "pgo/base/number_text.h"
#include "pgo/binary/debug_file.h"
#include "pgo/elf/image_match.h"
#include "pgo/profile/sample_value.h"
#include "pgo/profile/thresholds.h"

namespace pgo {
namespace {

Dropped largest_drop(const Accounting& accounting) {
  size_t largest = 0;
  for (size_t i = 1; i < kDroppedCount; i++)
    if (accounting.dropped[i] > accounting.dropped[largest]) largest = i;
  return static_cast<Dropped>(largest);
}

std::string describe_binaries(const BinarySet& binaries) {
  std::string text;
  for (const Binary& binary : binaries.binaries()) {
    std::string id = binary.image->build_id().hex();
    text += "\n    " + binary.image->path() + "  " + (id.empty() ? "no build ID" : id);
  }
  return text;
}

// Another binary or another build ran.
std::string other_binary(const std::string& what, const BinarySet& binaries,
                         const RecordedImages& images) {
  for (const Binary& binary : binaries.binaries())
    if (auto relative = images.find_bolt_relative(binary.image->build_id()))
      return "what ran is " + *relative + ", which is " + binary.image->path() +
             " before or after BOLT, or with another BOLT profile (build IDs that differ in the "
             "last quarter); name both files with \xFF{binary}";
  for (const Binary& binary : binaries.binaries())
    if (binary.image->build_id().empty())
      return binary.image->path() +
             " has no build ID, so only its file name identifies it, and no file of that name was "
             "recorded: rename it to the name that it ran under, or link it with -Wl,--build-id "
             "and record again. Recorded:" +
             images.list();
  std::string text =
      what + ". Wanted:" + describe_binaries(binaries) + "\n  recorded:" + images.list("    ");
  if (images.has_unknown_main())
    text += "\n  The profile has no build ID for its main binary: if it is " +
            (binaries.binaries().size() == 1
                 ? binaries.binaries()[0].image->path() + ", add \xFF{assume-build-id} " +
                       binaries.binaries()[0].image->build_id().hex()
                 : "one of these, add \xFF{assume-build-id} with its build ID");
  return text;
}

// What most went for, and "99.8 % of the branch records", and ", 0.2 % in the kernel".
struct LargestDrop {
  Dropped reason;
  std::string share, rest;
};

LargestDrop find_largest_drop(const AddressProfile& profile, bool by_branch) {
  const Accounting& accounting = by_branch ? profile.branches : profile.samples;
  // However few there are: where a build that was asked for runs, the wrong file was named.
  Dropped reason = accounting[Dropped::kBuildIdMismatch] != 0 ? Dropped::kBuildIdMismatch
                   : accounting[Dropped::kAmbiguousName] != 0 ? Dropped::kAmbiguousName
                                                              : largest_drop(accounting);
  std::string rest = format_drops(accounting, reason);
  return {reason,
          format_percent(accounting[reason], accounting.seen) + " of the " +
              (by_branch ? "branch records" : "samples"),
          rest.empty() ? "" : ", " + rest};
}

// Was each binary recorded under its build ID, and none by name alone? Then these are what ran.
bool ran_by_build_id(const Yield& yield) {
  const auto& binaries = yield.binaries.binaries();
  if (yield.profile.diagnostics.entries().contains(kMatchedByName)) return false;
  return std::all_of(binaries.begin(), binaries.end(), [&](const Binary& binary) {
    return yield.images.has_build(binary.image->build_id());
  });
}

// Why it was dropped, and what to do about it.
std::string explain(const LargestDrop& drop, const Yield& yield) {
  const BinarySet& binaries = yield.binaries;
  const RecordedImages& images = yield.images;
  std::string are =
      drop.share + " are " + std::string(dropped_sentence(drop.reason)) + drop.rest + "; ";
  switch (drop.reason) {
    case Dropped::kNoBranches:
      return drop.share + " have an empty branch stack" + drop.rest +
             "; does the machine have branch records? Many virtual "
             "machines do not, and perf record -b needs them";
    case Dropped::kWithoutStack:
      return are + "branch records of the same inputs count instead of them";
    case Dropped::kEmptySlot:
      return are +
             "the processor had recorded few branches when the samples were taken: were the "
             "threads recorded for longer than a moment?";
    case Dropped::kVdso:
      return are +
             "the kernel provides this code, and it is in no file: no profile can be made of it";
    case Dropped::kAnonymous:
      return are +
             "code that is generated while a program runs is in no file: no profile can be made "
             "of it";
    case Dropped::kFiltered: return are + "'pgo show' lists the processes and times of a recording";
    case Dropped::kKernel: return are + "record user space: perf record -e cycles:u -j any,u";
    case Dropped::kUnmapped:
      return are +
             "the recording does not say what was mapped there: was it cut short, or recorded "
             "without mmap events?";
    case Dropped::kOtherEvent: return are + "choose another event with \xFF{event}";
    case Dropped::kMalformed: return are + "is the recording damaged?";
    case Dropped::kBuildIdMismatch:
      if (!yield.wrong_builds.empty()) return are + yield.wrong_builds[0];
      return are + other_binary("the recording is of another build", binaries, images);
    case Dropped::kAmbiguousName:
      return are +
             "without build IDs only file names can be compared, and several binaries match. "
             "Wanted:" +
             describe_binaries(binaries) + "\n  recorded:" + images.list("    ");
    case Dropped::kNotCode:
      return are +
             (ran_by_build_id(yield)
                  ? "its build ID was recorded, so this is the file that ran, and the "
                    "addresses are in linkage tables or in code that changed while it ran"
                  : "the addresses are not at its instructions: is it exactly the file that ran?");
    case Dropped::kNoAddress: return are + "inputs with addresses are used instead";
    case Dropped::kNoLine: return are + "\xFF{without-lines} uses them as well";
    case Dropped::kUnknownFunction:
      return are + "name all your binaries with \xFF{binary}, built with " + kDebugOptions;
    case Dropped::kUnknownLine:
      return are + "was the binary built from the sources of what ran, with " + kDebugOptions + "?";
    case Dropped::kAmbiguousFunction:
      return are + "linkage names (system_name) would tell them apart";
    case Dropped::kOtherBinary:
      return are + other_binary(!binaries.binaries().empty() && ran_by_build_id(yield)
                                    ? "the binaries that you named ran, but have almost no "
                                      "samples; name the other ones with \xFF{binary}, too"
                                    : "another binary ran",
                                binaries, images);
  }
  return are;
}

// That none of the binaries was mapped in any recording. Nothing when one was, or when the
// recordings cannot tell: a build ID is missing, or BOLT has changed it.
std::optional<std::string> describe_unrecorded(const Yield& yield) {
  const std::vector<Binary>& binaries = yield.binaries.binaries();
  if (yield.images.has_unknown_main()) return std::nullopt;
  for (const Binary& binary : binaries) {
    const BuildId& id = binary.image->build_id();
    if (id.empty() || yield.images.has_build(id) || yield.images.find_bolt_relative(id))
      return std::nullopt;
  }
  return binaries.size() == 1 ? binaries[0].image->path() + " was never recorded: "
                              : std::string("none of the binaries was ever recorded: ");
}

std::string explain_empty(const Yield& yield) {
  const AddressProfile& profile = yield.profile;
  const RecordedImages& images = yield.images;
  if (profile.samples.seen == 0)
    return images.has_aux_data()
               ? "the recording has no samples, but trace data that must be decoded first: perf "
                 "inject --itrace=i100usle --strip -i RECORDING -o DECODED"
               : "the recording has no samples: did the program run, and long enough?";
  if (profile.samples.pending != 0)
    return std::string(
               "the samples have no branch records, and are in no function of the symbol table: ") +
           (ran_by_build_id(yield) ? "" : "is it exactly the file that ran, or ") +
           "was it stripped of symbols (\xFF{debug-file})?";
  LargestDrop drop = find_largest_drop(profile, profile.branches.seen != 0);
  std::optional<std::string> unrecorded;
  if (drop.reason == Dropped::kOtherBinary) unrecorded = describe_unrecorded(yield);
  return unrecorded.value_or("nothing in these recordings can be used: ") + explain(drop, yield);
}

}  // namespace

std::string explain_unused(const AddressProfile& profile) {
  if (profile.samples.seen == 0) return "it has no samples";
  if (uint64_t count = profile.samples.pending)
    return format_count(count, "sample has", "samples have") + " no branch records";
  LargestDrop drop = find_largest_drop(profile, profile.branches.seen != 0);
  if (drop.reason == Dropped::kNoBranches)
    return drop.share + " have an empty branch stack" + drop.rest;
  return drop.share + " are " + std::string(dropped_sentence(drop.reason)) + drop.rest;
}

void warn_of_unsampled_binaries(const Yield& yield, Diagnostics& diagnostics) {
  const std::vector<BinaryCounts>& counted = yield.profile.binaries;
  for (const Binary& binary : yield.binaries.binaries()) {
    const ElfImage& image = *binary.image;
    auto counts = std::find_if(counted.begin(), counted.end(), [&](const BinaryCounts& one) {
      return one.id == image.build_id() && (!one.id.empty() || one.path_hint == image.path());
    });
    if (counts == counted.end() || !counts->empty()) continue;
    // The input of llvm-bolt is named beside what it made of it, and only one of them runs.
    if (yield.images.find_bolt_relative(image.build_id())) continue;
    bool ran = image.build_id().empty() || yield.images.has_build(image.build_id());
    diagnostics.warn("unsampled-binary",
                     image.path() + (ran ? ": ran, but no sample was taken in it"
                                         : ": does not occur in the inputs"));
  }
}

std::optional<LowYield> diagnose_low_yield(const Yield& yield) {
  const AddressProfile& profile = yield.profile;
  const bool by_branch = profile.branches.seen != 0 && !yield.is_inferred;
  const Accounting& accounting = by_branch ? profile.branches : profile.samples;
  LargestDrop drop = find_largest_drop(profile, by_branch);
  // Who asks for one process in many knows that it is little.
  auto share = static_cast<double>(accounting.used) / static_cast<double>(accounting.seen);
  if (accounting.seen == 0 || share >= thresholds::kLowYield || drop.reason == Dropped::kFiltered)
    return std::nullopt;
  std::string text = "only " + format_percent(accounting.used, accounting.seen) +
                     " of the recorded data is used: ";
  if (drop.reason == Dropped::kOtherBinary)
    return LowYield{
        text + drop.share + " are " + std::string(dropped_sentence(drop.reason)) +
            "; 'pgo show RECORDING' lists what ran: name all your binaries with \xFF{binary}",
        true};
  return LowYield{text + explain(drop, yield)};
}

std::optional<Error> diagnose_empty(const Yield& yield) {
  const AddressProfile& profile = yield.profile;
  // PC samples are as good once they were used.
  bool has_counts = std::any_of(
      profile.binaries.begin(), profile.binaries.end(), [&](const BinaryCounts& counts) {
        return !counts.traces.empty() || (!counts.pc_samples.empty() && profile.samples.used != 0);
      });
  if (has_counts) return std::nullopt;
  std::string message = explain_empty(yield);
  for (const char* reason : {perf_data::Recording::kTruncated, kNegativeValues})
    if (auto known = profile.diagnostics.entries().find(reason);
        known != profile.diagnostics.entries().end())
      message += "\n  " + known->second.messages[0];
  return Error{ErrorKind::kEmpty, message};
}

}  // namespace pgo
