#include "pgo/ingest/address_input.h"

#include <algorithm>
#include <utility>

#include "converters/perf_data/event_choice.h"
#include "pgo/elf/image_match.h"
#include "pgo/ingest/sample_choice.h"
#include "pgo/profile/address_selection.h"

namespace pgo {
namespace {

Result<void> check_options(const AddressProfile& profile, const std::string& path,
                           const perf_data::ReadOptions& options) {
  constexpr const char* kWhere =
      "use the option when you convert the recordings to address profiles";
  PGO_CHECK(refuse_sample_choice(path, "address profile", kWhere, options));
  if (options.events.empty()) return ok();
  auto is_wanted = [&](const EventInfo& event) {
    const std::string name = perf_data::any_core_name(event.name);
    return std::any_of(options.events.begin(), options.events.end(), [&](const std::string& one) {
      return one == event.name || one == name || one == name.substr(0, name.find(':'));
    });
  };
  for (const EventInfo& event : profile.events)
    if (!is_wanted(event))
      return fail(ErrorKind::kUsage,
                  path + ": counts event '" + event.name + "', which \xFF{event} " +
                      options.events[0] + " cannot remove from an address profile",
                  kWhere);
  return ok();
}

}  // namespace

Result<AddressInput> count_for_binaries(AddressProfile profile, const std::string& path,
                                        const BinarySet& binaries,
                                        const perf_data::ReadOptions& options) {
  PGO_CHECK(check_options(profile, path, options));
  std::vector<const ElfImage*> images;
  for (const Binary& binary : binaries.binaries()) images.push_back(binary.image.get());
  auto why = [&](const BinaryCounts& counts) -> std::optional<Dropped> {
    ImageMatch owner = match_image(counts.id, counts.path_hint, images);
    if (owner.image) return std::nullopt;
    if (owner.is_ambiguous())
      profile.diagnostics.warn(
          "ambiguous-name",
          path + ": " + describe_ambiguity(owner, counts.id, counts.path_hint, images));
    return owner.reason;
  };
  std::vector<perf_data::OtherFile> others;
  for (LeftOutBinary& one : leave_out(profile, why))
    if (one.reason == Dropped::kOtherBinary && one.samples != 0)
      others.push_back({{std::move(one.path_hint), one.id}, one.samples});
  for (BinaryCounts& counts : profile.binaries) {
    ImageMatch owner = match_image(counts.id, counts.path_hint, images);
    if (!owner.image) continue;  // dropped above
    const ElfImage& image = *images[*owner.image];
    if (owner.by_name)
      profile.diagnostics.warn(kMatchedByName, path + ": has no build ID for " + counts.path_hint +
                                                   ", or " + image.path() +
                                                   " has none; they were matched by file name");
    counts.id = image.build_id();
    counts.path_hint = image.path();
  }
  // Each binary that was named has an entry, as readers of recordings have it.
  for (const Binary& binary : binaries.binaries())
    profile.binaries.push_back({binary.image->build_id(), binary.image->path(), {}, {}, {}, {}});
  profile.normalize(options.jobs);
  return AddressInput{std::move(profile), std::move(others)};
}

}  // namespace pgo
