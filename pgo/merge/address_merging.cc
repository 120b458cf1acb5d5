// Address profiles into one: counts by address add up, each build for itself.

#include "converters/address/address_profile_reader.h"
#include "converters/address/address_profile_writer.h"
#include "pgo/ingest/pc_samples.h"
#include "pgo/merge/kinds.h"
#include "pgo/merge/merging.h"
#include "pgo/profile/address_merger.h"
#include "pgo/profile/address_selection.h"

namespace pgo {
namespace {

class AddressKind {
 public:
  using Profile = AddressProfile;
  using Sum = AddressMerger;

  explicit AddressKind(const std::vector<BuildId>& builds) : builds_(builds) {}

  Result<std::optional<AddressProfile>> read(MergeInputs& inputs, size_t file,
                                             const InputBytes& bytes,
                                             Diagnostics& diagnostics) const {
    const InputFile& named = inputs[file];
    if (bytes.format() != Format::kAddressProfile) {
      if (!named.from_directory)
        return fail(
            ErrorKind::kMismatch,
            bytes.describe(", and only address profiles are merged into one; 'pgo convert' makes "
                           "them of recordings and pprof (\xFF{binary}, \xFF{output} x.addr)"));
      inputs.warn_of_other_kind(file, "an address profile", diagnostics);
      return std::optional<AddressProfile>();
    }
    inputs.duplicates().add(named, bytes.file());
    PGO_TRY(AddressProfile profile, read_address_profile(bytes.contents(), named.shown()));
    profile.origins.complete(named.origins());
    if (!builds_.empty())
      leave_out(profile, [&](const BinaryCounts& counts) -> std::optional<Dropped> {
        for (const BuildId& id : builds_)
          if (counts.id.matches(id)) return std::nullopt;
        return Dropped::kOtherBinary;
      });
    return std::optional<AddressProfile>(std::move(profile));
  }

  Result<MeasuredInput> measure(const AddressProfile& profile, const InputFile&) const {
    return MeasuredInput{
        .host = {}, .amounts = {saturating_add(profile.samples.used, profile.samples.pending)}};
  }

  Result<void> add(AddressProfile profile, const std::string&, Weight, const MergeFactors& factors,
                   AddressMerger& sum) const {
    sum.add(std::move(profile), factors[0]);
    return ok();
  }

  Result<void> join(AddressMerger&& other, AddressMerger& sum) const {
    sum.add(std::move(other));
    return ok();
  }

 private:
  const std::vector<BuildId>& builds_;
};

// Different places that something was counted at.
size_t count_rows(const AddressProfile& profile) {
  size_t rows = 0;
  for (const BinaryCounts& counts : profile.binaries)
    rows += counts.traces.size() + counts.pc_samples.size();
  return rows;
}

// Why nothing is left.
Failure no_addresses_left(uint64_t inputs, const Diagnostics& diagnostics, const MergePlan& plan,
                          const MergeRequest& request) {
  if (inputs == 0)
    return fail(ErrorKind::kEmpty,
                "no input is an address profile, and only those are merged into one; 'pgo "
                "convert' makes them of recordings and pprof (\xFF{binary}, \xFF{output} x.addr)" +
                    name_unreadable(diagnostics));
  if (!request.builds.empty())
    return fail(ErrorKind::kEmpty,
                "no input has counts of the builds that \xFF{build-id} names; 'pgo show' lists the "
                "builds of a profile");
  return fail(ErrorKind::kEmpty,
              explain_by_weight(plan).value_or(
                  "the inputs contain no counts; 'pgo show' lists why their samples were dropped"));
}

}  // namespace

Result<MergeResult> merge_addresses(const MergePlan& plan, const MergeRequest& request) {
  if (request.normalization == Normalization::kDuration ||
      request.normalization == Normalization::kHost)
    return fail(ErrorKind::kUsage,
                "address profiles do not say how long or on which host they were recorded; use "
                "\xFF{normalize} samples");
  const AddressKind kind(request.builds);
  PGO_TRY(auto merged, Merging(kind, plan, request, request.jobs).run());
  AddressProfile profile = std::move(merged.sum).finish();
  profile.diagnostics.add(merged.diagnostics);
  const size_t rows = count_rows(profile);
  if (rows == 0 && !request.shard)
    return no_addresses_left(merged.inputs, profile.diagnostics, plan, request);

  MergeResult result;
  PGO_TRY(std::string contents, write_address_profile(profile));
  for (const OutputSpec& output : request.outputs)
    result.outputs.push_back({output.path, contents});
  result.inputs = merged.inputs;
  result.builds = list_builds(profile);
  keep_pc_samples(profile);
  result.diagnostics = std::move(profile.diagnostics);
  profile.diagnostics = {};
  profile.binaries.clear();
  result.merged = MergedAddresses{.rows = rows, .figures = std::move(profile)};
  return result;
}

}  // namespace pgo
