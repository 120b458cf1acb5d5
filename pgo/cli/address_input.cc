#include "pgo/cli/address_input.h"

#include <algorithm>

#include "pgo/profile/address_selection.h"

namespace pgo {
namespace {

std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// The binary whose counts these are, or why they are none's.
struct Owner {
  const ElfImage* image = nullptr;
  Dropped reason = Dropped::kOtherBinary;
  bool by_name = false;
};

Owner find_owner(const BinaryCounts& counts, const BinarySet& binaries) {
  Owner owner;
  for (const Binary& binary : binaries.binaries()) {
    const ElfImage& image = *binary.image;
    bool same_name = base_name(image.path()) == base_name(counts.path_hint);
    bool has_ids = !counts.id.empty() && !image.build_id().empty();
    if (has_ids ? counts.id.matches(image.build_id()) : same_name)
      return {&image, Dropped::kOtherBinary, !has_ids};
    if (has_ids && same_name) owner.reason = Dropped::kBuildIdMismatch;
  }
  return owner;
}

Result<void> check_options(const AddressProfile& profile, const std::string& path,
                           const perf_data::ReadOptions& options) {
  constexpr const char* kWhere = "; choose when the recordings are converted to it";
  if (options.compatibility == perf_data::Compatibility::kLlvmProfgen)
    return fail(ErrorKind::kUsage,
                path +
                    ": is a profile by address, and --compat=llvm-profgen counts as llvm-profgen "
                    "reads recordings");
  const char* option = !options.pids.empty()   ? "--pid"
                       : !options.comm.empty() ? "--comm"
                       : options.time          ? "--time"
                                               : nullptr;
  if (option != nullptr)
    return fail(ErrorKind::kUsage, path + ": is a profile by address, which " + option +
                                       " cannot choose from" + kWhere);
  if (options.event.empty()) return ok();
  for (const EventInfo& event : profile.events)
    if (event.name != options.event)
      return fail(ErrorKind::kUsage, path + ": counts event '" + event.name + "', which --event " +
                                         options.event +
                                         " cannot take out of a profile by address" + kWhere);
  return ok();
}

}  // namespace

Result<AddressProfile> count_for_binaries(AddressProfile profile, const std::string& path,
                                          const BinarySet& binaries,
                                          const perf_data::ReadOptions& options) {
  PGO_CHECK(check_options(profile, path, options));
  leave_out(profile, [&](const BinaryCounts& counts) -> std::optional<Dropped> {
    Owner owner = find_owner(counts, binaries);
    if (owner.image == nullptr) return owner.reason;
    return std::nullopt;
  });
  for (BinaryCounts& counts : profile.binaries) {
    Owner owner = find_owner(counts, binaries);
    if (owner.by_name)
      profile.diagnostics.warn(
          "matched-by-name", path + ": has no build id for " + counts.path_hint + ", or " +
                                 owner.image->path() + " has none; they were matched by file name");
    counts.id = owner.image->build_id();
    counts.path_hint = owner.image->path();
  }
  // Each binary that was named has an entry, as readers of recordings have it.
  for (const Binary& binary : binaries.binaries())
    profile.binaries.push_back({binary.image->build_id(), binary.image->path(), {}, {}, {}, {}});
  profile.normalize(options.jobs);
  return profile;
}

}  // namespace pgo
