#include "pgo/binary/binary_set.h"

#include <algorithm>

#include "pgo/base/file_name.h"
#include "pgo/elf/image_match.h"

namespace pgo {
namespace {

// A debug file that only its name on the command line connects with a binary cannot be of two.
Result<void> check_one_owner(const Binary& one, const Binary& other) {
  if (!one.debug || !other.debug || one.debug->path() != other.debug->path() ||
      !one.debug->build_id().empty() || (one.image->debug_link() && other.image->debug_link()))
    return ok();
  return fail(ErrorKind::kUsage,
              "\xFF{debug-file} " + one.debug->path() + " (no build ID) may belong to " +
                  other.image->path() + " or to " + one.image->path() +
                  ", which have no build ID either",
              "convert them one by one, or link them with -Wl,--build-id");
}

}  // namespace

Result<BinarySet> BinarySet::open(const std::vector<std::string>& paths, const DebugPlaces& debug,
                                  BinaryUse use, ProbeUse probe_use) {
  BinarySet set;
  for (const std::string& path : paths) {
    PGO_TRY(Binary binary, open_binary(path, debug, use, probe_use));
    for (const Binary& other : set.binaries_) {
      PGO_CHECK(check_one_owner(binary, other));
      if (binary.image->build_id().matches(other.image->build_id()))
        return fail(ErrorKind::kUsage, path + " and " + other.image->path() +
                                           " are the same build (" +
                                           binary.image->build_id().hex() + "); name one of them");
    }
    set.binaries_.push_back(std::move(binary));
  }
  for (const std::string& file : debug.files) PGO_CHECK(set.check_used(file));
  return set;
}

// A debug file that describes none of the binaries is a mistake, and its absence would be noticed
// late: as code without lines.
Result<void> BinarySet::check_used(const std::string& debug_file) const {
  std::string ids;
  for (const Binary& binary : binaries_) {
    if (binary.debug && binary.debug->path() == debug_file) return ok();
    ids += "\n  " + binary.image->path() + "  " + build_id_text(*binary.image);
  }
  PGO_TRY(ElfImage unused, open_elf(debug_file));
  return fail(ErrorKind::kMismatch, "\xFF{debug-file} " + debug_file + " (" +
                                        build_id_text(unused) +
                                        ") belongs to none of the binaries:" + ids);
}

std::vector<TargetBinary> BinarySet::targets() const {
  std::vector<TargetBinary> targets;
  for (const Binary& binary : binaries_) targets.push_back(binary.target());
  return targets;
}

Result<void> BinarySet::assume(const std::vector<std::string>& ids) {
  for (const std::string& text : ids) {
    std::optional<BuildId> id = BuildId::from_hex(text);
    auto found = std::find_if(binaries_.begin(), binaries_.end(), [&](const Binary& binary) {
      return id && id->matches(binary.image->build_id());
    });
    if (found == binaries_.end()) {
      std::string ids_of_all;
      for (const Binary& binary : binaries_)
        ids_of_all += "\n  " + binary.image->path() + "  " + build_id_text(*binary.image);
      return fail(ErrorKind::kUsage, "\xFF{assume-build-id} " + text +
                                         ": is the build ID of none of the binaries:" + ids_of_all);
    }
    assumed_.push_back(found->image.get());
  }
  return ok();
}

bool BinarySet::assume_build_ids(StackProfile& profile, const std::string& path,
                                 Diagnostics& diagnostics) const {
  bool any = false;
  for (size_t i = 0; i < profile.mappings.size(); i++) {
    StackMapping& mapping = profile.mappings[i];
    std::string file(profile.text(mapping.filename));
    if (mapping.build_id != kEmptyString || file.starts_with('[')) continue;
    auto named = std::find_if(assumed_.begin(), assumed_.end(), [&](const ElfImage* image) {
      return file_name(image->path()) == recorded_file_name(file);
    });
    const ElfImage* image = named != assumed_.end()          ? *named
                            : i == 0 && assumed_.size() == 1 ? assumed_[0]
                                                             : nullptr;
    if (image == nullptr) continue;
    mapping.build_id = profile.strings.add(image->build_id().hex());
    any = true;
    diagnostics.warn("assumed-build-id", path + ": has no build ID for " +
                                             (file.empty() ? "its main binary" : file) +
                                             ", which is assumed to be " + image->path() + " (" +
                                             image->build_id().hex() + ")");
  }
  return any;
}

Result<size_t> BinarySet::index_of(const BinaryCounts& counts) const {
  for (size_t i = 0; i < binaries_.size(); i++)
    if (binaries_[i].image->path() == counts.path_hint &&
        binaries_[i].image->build_id() == counts.id)
      return i;
  return fail(ErrorKind::kInternal, counts.path_hint + " (build ID " + counts.id.hex() +
                                        "): counts of a binary that was not asked for");
}

Result<const Binary*> BinarySet::find(const BinaryCounts& counts) const {
  PGO_TRY(size_t index, index_of(counts));
  return static_cast<const Binary*>(&binaries_[index]);
}

}  // namespace pgo
