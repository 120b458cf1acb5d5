#include "pgo/cli/binary_set.h"

#include <algorithm>
#include <cassert>

#include "bolt/address_translation.h"
#include "pgo/base/file_name.h"
#include "pgo/cli/file_kind.h"
#include "pgo/elf/image_match.h"
#include "pgo/symbolize/instruction_decoder.h"

namespace pgo {
namespace {

std::string id_text(const ElfImage& image) {
  return image.build_id().empty() ? "no build id" : image.build_id().hex();
}

Failure stripped_failure(const ElfImage& image, const std::vector<std::string>& debug_files) {
  std::string text =
      image.path() + ": is stripped: it has no symbol table, so its code cannot be found; ";
  if (debug_files.empty() || image.build_id().empty())
    return fail(ErrorKind::kInput,
                text + "give the unstripped binary, or its debug file with --debug-file");
  text += "no --debug-file is of this build (" + id_text(image) + "):";
  for (const std::string& file : debug_files) {
    Result<ElfImage> other = ElfImage::open(file);
    text += "\n  " + file + "  " + (other ? id_text(*other) : "cannot be read");
  }
  return fail(ErrorKind::kMismatch, text);
}

Result<Binary> open_binary(const std::string& path, const DebugPlaces& debug, ProbeUse probe_use) {
  Binary binary;
  PGO_TRY(ElfImage image, open_elf(path));
  binary.image = std::make_unique<ElfImage>(std::move(image));
  PGO_TRY(std::optional<std::string> debug_path, find_debug_file(*binary.image, debug));
  if (debug_path) {
    PGO_TRY(ElfImage debug_image, ElfImage::open(*debug_path));
    binary.debug = std::make_unique<ElfImage>(std::move(debug_image));
  }
  if (binary.symbol_image().symbols().empty())
    return stripped_failure(*binary.image, debug_path ? std::vector<std::string>() : debug.files);
  PGO_TRY(binary.code, make_code_map(*binary.image, binary.symbol_image()));
  binary.probes = find_probes(*binary.image, binary.debug.get(), probe_use);
  return binary;
}

// A debug file that only its name on the command line connects with a binary cannot be of two.
Result<void> check_one_owner(const Binary& one, const Binary& other) {
  if (!one.debug || !other.debug || one.debug->path() != other.debug->path() ||
      !one.debug->build_id().empty() || (one.image->debug_link() && other.image->debug_link()))
    return ok();
  return fail(ErrorKind::kUsage, "--debug-file " + one.debug->path() +
                                     " (no build id) may belong to " + other.image->path() +
                                     " or to " + one.image->path() +
                                     ", which have no build id either; convert them one by one, "
                                     "or link them with -Wl,--build-id");
}

}  // namespace

const ElfImage* find_probes(const ElfImage& image, const ElfImage* debug, ProbeUse use) {
  if (use == ProbeUse::kNone) return nullptr;
  if (has_probes(image)) return &image;
  if (use == ProbeUse::kOfBinary || debug == nullptr || is_bolted(image)) return nullptr;
  return has_probes(*debug) ? debug : nullptr;
}

Result<BinarySet> BinarySet::open(const std::vector<std::string>& paths, const DebugPlaces& debug,
                                  ProbeUse probe_use) {
  BinarySet set;
  for (const std::string& path : paths) {
    PGO_TRY(Binary binary, open_binary(path, debug, probe_use));
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
    ids += "\n  " + binary.image->path() + "  " + id_text(*binary.image);
  }
  PGO_TRY(ElfImage unused, open_elf(debug_file));
  return fail(ErrorKind::kMismatch, "--debug-file " + debug_file + " (" + id_text(unused) +
                                        ") belongs to none of the binaries:" + ids);
}

std::vector<perf_data::TargetBinary> BinarySet::targets() const {
  std::vector<perf_data::TargetBinary> targets;
  for (const Binary& binary : binaries_) targets.push_back({binary.image.get(), binary.code.get()});
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
        ids_of_all += "\n  " + binary.image->path() + "  " + id_text(*binary.image);
      return fail(ErrorKind::kUsage,
                  "--assume-build-id " + text + ": is that of none of the binaries:" + ids_of_all);
    }
    assumed_.push_back(found->image.get());
  }
  return ok();
}

void BinarySet::assume_build_ids(StackProfile& profile, const std::string& path,
                                 Diagnostics& diagnostics) const {
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
    diagnostics.warn(kAssumedBuildId, path + ": has no build id for " +
                                          (file.empty() ? "its main binary" : file) +
                                          ", which is assumed to be " + image->path() + " (" +
                                          image->build_id().hex() + ")");
  }
}

const Binary& BinarySet::of(const BinaryCounts& counts) const {
  for (const Binary& binary : binaries_)
    if (binary.image->path() == counts.path_hint && binary.image->build_id() == counts.id)
      return binary;
  assert(false && "counts of a binary that was not asked for");
  return binaries_.front();
}

}  // namespace pgo
