// Address profiles into one: counts by address add up, each build for itself. A thread merges what
// it reads, so memory is that of the merged profile for each thread.

#include <algorithm>

#include "converters/address/address_profile_reader.h"
#include "converters/address/address_profile_writer.h"
#include "pgo/cli/address_builds.h"
#include "pgo/cli/file_kind.h"
#include "pgo/cli/funnel.h"
#include "pgo/cli/merge_kinds.h"
#include "pgo/cli/plain_samples.h"
#include "pgo/profile/address_merger.h"
#include "pgo/profile/address_selection.h"

namespace pgo {
namespace {

struct Worker {
  AddressMerger merger;
  Diagnostics diagnostics;
  uint64_t merged = 0;
};

class Merging {
 public:
  Merging(const std::vector<InputFile>& files, const MergeOptions& options)
      : inputs_(files, options.weights, options.jobs), options_(options) {}

  Result<AddressProfile> run(uint64_t& merged) {
    PGO_TRY(std::vector<MergeFactor> factors, find_factors());
    std::vector<Worker> workers(inputs_.worker_count());
    PGO_CHECK(inputs_.each_file("merging", [&](size_t worker, size_t file) -> Result<void> {
      Worker& mine = workers[worker];
      PGO_TRY(std::optional<AddressProfile> profile, read(file, mine.diagnostics));
      if (!profile) return ok();
      mine.merger.add(*std::move(profile), factors[file]);
      mine.merged++;
      return ok();
    }));
    Diagnostics diagnostics;
    merged = 0;
    for (size_t i = 0; i < workers.size(); i++) {
      merged += workers[i].merged;
      diagnostics.add(workers[i].diagnostics);
      if (i > 0) workers[0].merger.add(std::move(workers[i].merger));
    }
    AddressProfile profile = std::move(workers[0].merger).finish();
    profile.diagnostics.add(diagnostics);
    return profile;
  }

 private:
  // Nothing when the file is to be passed over.
  Result<std::optional<AddressProfile>> read(size_t file, Diagnostics& diagnostics) {
    using Found = std::optional<AddressProfile>;
    const InputFile& input = inputs_[file];
    return inputs_.with_bytes(file, diagnostics, [&](Bytes bytes) -> Result<Found> {
      if (!is_address_profile(bytes)) {
        if (!input.from_directory)
          return fail(
              ErrorKind::kMismatch,
              tell_file(bytes, input.path,
                        ", and only address profiles are merged into one; 'pgo convert' makes "
                        "them of recordings and pprof (--binary, -o x.addr)"));
        diagnostics.warn("not-a-profile",
                         input.path + ": is no address profile and was passed over");
        return Found();
      }
      warn_if_repeated(input, diagnostics);
      PGO_TRY(AddressProfile profile, read_address_profile(bytes, input.path));
      if (!options_.builds.empty())
        leave_out(profile, [&](const BinaryCounts& counts) -> std::optional<Dropped> {
          for (const BuildId& id : options_.builds)
            if (counts.id.matches(id)) return std::nullopt;
          return Dropped::kOtherBinary;
        });
      return Found(std::move(profile));
    });
  }

  // The weight of each input, times what gives it as many samples as the others on average.
  Result<std::vector<MergeFactor>> find_factors() {
    std::vector<uint64_t> samples(inputs_.size(), 1);
    std::vector<uint8_t> skipped(inputs_.size(), 0);
    if (options_.normalization == Normalization::kSamples)
      PGO_CHECK(inputs_.each_file("measuring", [&](size_t, size_t file) -> Result<void> {
        Diagnostics told_later;
        PGO_TRY(std::optional<AddressProfile> profile, read(file, told_later));
        skipped[file] = profile ? 0 : 1;
        const Accounting accounting = profile ? profile->samples : Accounting();
        samples[file] = saturating_add(accounting.used, accounting[Dropped::kWithoutStack]);
        return ok();
      }));
    WideFactor sum = 0;
    uint64_t count = 0;
    for (size_t i = 0; i < samples.size(); i++) {
      sum += samples[i];
      count += skipped[i] ^ 1u;
    }
    std::vector<MergeFactor> factors;
    for (size_t i = 0; i < samples.size(); i++) {
      Weight weight = inputs_.weight_of(i);
      WideFactor has = std::max<uint64_t>(samples[i], 1);
      factors.push_back(
          options_.normalization == Normalization::kNone || skipped[i] != 0
              ? MergeFactor::of(weight.numerator, weight.denominator)
              : MergeFactor::of(weight.numerator * sum, weight.denominator * count * has));
    }
    return factors;
  }

  MergeInputs inputs_;
  const MergeOptions& options_;
};

// Different places that something was counted at.
size_t count_rows(const AddressProfile& profile) {
  size_t rows = 0;
  for (const BinaryCounts& counts : profile.binaries)
    rows += counts.traces.size() + counts.ips.size();
  return rows;
}

std::vector<std::string> describe(const AddressProfile& profile, uint64_t merged) {
  std::vector<std::string> notes{
      format_count(merged, "address profile") + ": " +
      format_count(count_rows(profile), "trace or address", "different traces and addresses")};
  add_builds(list_builds(profile), notes);
  return notes;
}

}  // namespace

Result<MergeResult> merge_addresses(const std::vector<InputFile>& files,
                                    const MergeOptions& options,
                                    const std::vector<OutputFile>& outputs) {
  if (options.normalization == Normalization::kDuration ||
      options.normalization == Normalization::kHost)
    return fail(ErrorKind::kUsage,
                "address profiles say neither how long nor on which host they were recorded, so "
                "that only --normalize samples can be used for them");
  uint64_t merged = 0;
  PGO_TRY(AddressProfile profile, Merging(files, options).run(merged));
  if (count_rows(profile) == 0)
    return fail(ErrorKind::kEmpty,
                merged == 0
                    ? "no input is an address profile, and only those are merged into one; 'pgo "
                      "convert' makes them of recordings and pprof (--binary, -o x.addr)" +
                          name_unreadable(profile.diagnostics)
                : options.builds.empty()
                    ? explain_by_weight(options.weights)
                          .value_or("the inputs count nothing: 'pgo show' tells what became of "
                                    "their samples")
                    : "nothing is of the builds that --build-id names; 'pgo show' lists those of a "
                      "profile");
  MergeResult result;
  PGO_TRY(std::string contents, write_address_profile(profile));
  result.contents.assign(outputs.size(), contents);
  result.notes = describe(profile, merged);
  keep_plain_samples(profile);
  result.json = funnel_json(profile);
  result.json["inputs"] = merged;
  result.json["builds"] = builds_json(profile);
  result.diagnostics = std::move(profile.diagnostics);
  return result;
}

}  // namespace pgo
