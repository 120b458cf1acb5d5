#include "pgo/ingest/address_input.h"

#include <algorithm>

#include "pgo/elf/image_match.h"
#include "pgo/ingest/sample_choice.h"
#include "pgo/profile/address_selection.h"

namespace pgo {
namespace {

Result<void> check_options(const AddressProfile& profile, const std::string& path,
                           const perf_data::ReadOptions& options) {
  constexpr const char* kWhere = "choose when the recordings are converted to it";
  PGO_CHECK(refuse_sample_choice(path, "address profile", kWhere, options));
  if (options.event.empty()) return ok();
  for (const EventInfo& event : profile.events)
    if (event.name != options.event && event.name.substr(0, event.name.find(':')) != options.event)
      return fail(ErrorKind::kUsage,
                  path + ": counts event '" + event.name + "', which {event} " + options.event +
                      " cannot take out of an address profile",
                  kWhere);
  return ok();
}

}  // namespace

Result<AddressProfile> count_for_binaries(AddressProfile profile, const std::string& path,
                                          const BinarySet& binaries,
                                          const perf_data::ReadOptions& options) {
  PGO_CHECK(check_options(profile, path, options));
  std::vector<const ElfImage*> images;
  for (const Binary& binary : binaries.binaries()) images.push_back(binary.image.get());
  leave_out(profile, [&](const BinaryCounts& counts) -> std::optional<Dropped> {
    ImageMatch owner = match_image(counts.id, counts.path_hint, images);
    if (owner.image) return std::nullopt;
    if (owner.is_ambiguous())
      profile.diagnostics.warn(
          "ambiguous-name",
          path + ": " + describe_ambiguity(owner, counts.id, counts.path_hint, images));
    return owner.reason;
  });
  for (BinaryCounts& counts : profile.binaries) {
    ImageMatch owner = match_image(counts.id, counts.path_hint, images);
    if (!owner.image) continue;  // dropped above
    const ElfImage& image = *images[*owner.image];
    if (owner.by_name)
      profile.diagnostics.warn("matched-by-name", path + ": has no build id for " +
                                                      counts.path_hint + ", or " + image.path() +
                                                      " has none; they were matched by file name");
    counts.id = image.build_id();
    counts.path_hint = image.path();
  }
  // Each binary that was named has an entry, as readers of recordings have it.
  for (const Binary& binary : binaries.binaries())
    profile.binaries.push_back({binary.image->build_id(), binary.image->path(), {}, {}, {}, {}});
  profile.normalize(options.jobs);
  return profile;
}

}  // namespace pgo
