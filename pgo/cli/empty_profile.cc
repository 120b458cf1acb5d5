#include "pgo/cli/empty_profile.h"

#include <algorithm>

#include "pgo/cli/funnel.h"

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
    text += "\n  " + binary.image->path() + "  " + (id.empty() ? "no build id" : id);
  }
  return text;
}

// What to do when most samples went for `reason`.
std::string remedy(Dropped reason, const BinarySet& binaries, const RecordedImages& images) {
  for (const Binary& binary : binaries.binaries())
    if (auto relative = images.find_bolt_relative(binary.image->build_id()))
      return "what ran is " + *relative + ", which is " + binary.image->path() +
             " before or after BOLT (build ids that differ in the last bit); name both files with "
             "--binary";
  switch (reason) {
    case Dropped::kNoBranches:
      return "the branch stacks are empty: record with perf record -b (or -j any,u) on a machine "
             "that has branch records; many virtual machines do not";
    case Dropped::kKernel: return "record user space: perf record -e cycles:u -j any,u";
    case Dropped::kUnmapped:
      return "the recording does not say what was mapped there; was it cut short, or recorded "
             "without mmap events?";
    case Dropped::kOtherEvent: return "choose another event with --event";
    case Dropped::kFiltered: return "--pid, --comm and --time leave no sample";
    case Dropped::kBuildIdMismatch:
      return "the recording is of another build. Wanted:" + describe_binaries(binaries) +
             "\nrecorded:" + images.list();
    case Dropped::kNotCode:
      return "the addresses are no instructions of it: is it the very file that ran?";
    default:
      return "another binary ran. Wanted:" + describe_binaries(binaries) +
             "\nrecorded:" + images.list();
  }
}

}  // namespace

std::optional<Error> explain_if_empty(const AddressProfile& profile, const BinarySet& binaries,
                                      const RecordedImages& images) {
  bool has_traces = std::any_of(profile.binaries.begin(), profile.binaries.end(),
                                [](const BinaryCounts& counts) { return !counts.traces.empty(); });
  if (has_traces && (profile.branches.used != 0 || profile.samples.seen == 0)) return std::nullopt;
  auto empty = [](const std::string& message) { return Error{ErrorKind::kEmpty, message}; };
  if (profile.samples.seen == 0)
    return empty(images.has_aux_data()
                     ? "the recording has no samples, but trace data that must be decoded first: "
                       "perf inject --itrace=bl -i perf.data -o decoded.data"
                     : "the recording has no samples: did the program run, and long enough?");
  if (profile.samples.used != 0 && profile.branches.seen == 0)
    return empty(
        "the samples have no branch stacks: record with perf record -b (or -j any,u) on a "
        "machine that has branch records; many virtual machines do not");
  const Accounting& accounting = profile.branches.seen != 0 ? profile.branches : profile.samples;
  Dropped reason = largest_drop(accounting);
  return empty("nothing in these recordings can be used: " +
               format_percent(accounting[reason], accounting.seen) + " of the " +
               (profile.branches.seen != 0 ? "branch records" : "samples") + " are " +
               std::string(dropped_sentence(reason)) + "; " + remedy(reason, binaries, images));
}

}  // namespace pgo
