#include "pgo/archive/release.h"

#include <optional>
#include <utility>

#include "pgo/base/sha256.h"
#include "pgo/binary/binary.h"
#include "pgo/binary/debug_file.h"
#include "pgo/elf/bolt/address_translation.h"

namespace pgo {
namespace {

std::string named(const ElfImage& image) {
  return image.path() + " (" + build_id_text(image) + ")";
}

Result<ElfImage> open_identified(const std::string& path) {
  PGO_TRY(ElfImage image, open_elf(path));
  if (image.build_id().bytes().size() >= BuildId::kMinSize) return image;
  const std::string what = image.build_id().empty()
                               ? "has no build ID"
                               : "has the build ID " + image.build_id().hex() +
                                     ", which is too short to tell builds apart";
  return fail(ErrorKind::kInput, path + ": " + what + ", and archives name files by build ID",
              "link with -Wl,--build-id");
}

Result<ElfImage> open_executable(const std::string& path) {
  PGO_TRY(ElfImage image, open_identified(path));
  if (image.is_debug_file())
    return fail(ErrorKind::kUsage, path + ": is a debug file: it has no code",
                "give the executable, and this file with \xFF{debug-file}");
  return image;
}

// Nothing when llvm-bolt left the executable as it was.
Result<std::optional<ElfImage>> open_prebolt(const std::string& path, const ElfImage& executable,
                                             Diagnostics& diagnostics) {
  PGO_TRY(ElfImage image, open_identified(path));
  if (is_bolted(image))
    return fail(ErrorKind::kUsage, path + ": was written by llvm-bolt, so it is not its input",
                "give the released file first, and llvm-bolt's input second");
  if (image.build_id().matches(executable.build_id())) {
    diagnostics.warn("same-build", named(image) + ": is the same build as " + executable.path() +
                                       ", which llvm-bolt did not change; only " +
                                       executable.path() + " is archived");
    return std::optional<ElfImage>();
  }
  if (!image.build_id().matches_bolted(executable.build_id()))
    return fail(ErrorKind::kMismatch,
                named(image) + ": is not llvm-bolt's input for " + named(executable) +
                    ": their build IDs may differ only in the last quarter",
                "give the two files of one build");
  return std::optional<ElfImage>(std::move(image));
}

// A debug file that was changed later (by dwz, say) is still the right one, but debuggers that go
// by .gnu_debuglink refuse it.
void check_link(const ElfImage& debug, const ElfImage& owner, Diagnostics& diagnostics) {
  const std::optional<ElfImage::DebugLink> link = owner.debug_link();
  if (!link || has_checksum(debug, *link)) return;
  diagnostics.warn("debug-checksum",
                   debug.path() + ": its checksum is not the one in .gnu_debuglink of " +
                       owner.path() + ", so debuggers find it by its build ID only");
}

Result<ElfImage> open_debug(const std::string& path, const std::vector<const ElfImage*>& binaries,
                            Diagnostics& diagnostics) {
  PGO_TRY(ElfImage debug, open_identified(path));
  if (!has_debug_info(debug))
    return fail(ErrorKind::kInput, path + ": has no debug information",
                "give the file that objcopy --only-keep-debug made, or leave it out");
  std::string others;
  for (const ElfImage* binary : binaries) {
    if (debug.build_id().matches(binary->build_id())) {
      check_link(debug, *binary, diagnostics);
      return debug;
    }
    others += (others.empty() ? "" : " or ") + named(*binary);
  }
  return fail(ErrorKind::kMismatch, named(debug) + ": is not the debug file of " + others,
              "give the one of the same build");
}

void add(Release& release, ReleaseRole role, ElfImage image) {
  std::string digest = Sha256::digest_of(image.bytes());
  release.files.push_back({role, std::move(image), std::move(digest)});
}

void check_prebolt(const Release& release, Diagnostics& diagnostics) {
  const ElfImage& executable = release.files[0].image;
  if (!is_bolted(executable) || release.files.back().role == ReleaseRole::kPrebolt) return;
  diagnostics.warn(
      "no-prebolt",
      executable.path() +
          ": was made by llvm-bolt, and llvm-bolt's input is not archived with it, so "
          "its recordings cannot become BOLT profiles; name the input \xFF{prebolt}, too");
}

// llvm-bolt's table, by which its addresses become those of its input, goes when it is stripped.
void check_translation(const Release& release, Diagnostics& diagnostics) {
  const ElfImage& executable = release.files[0].image;
  const bool has_prebolt = release.files.back().role == ReleaseRole::kPrebolt;
  if ((!has_prebolt && !is_bolted(executable)) || has_address_translation(executable)) return;
  diagnostics.warn(
      "no-address-translation",
      executable.path() +
          ": was made by llvm-bolt, but has no address translation table, so its "
          "recordings cannot be translated to llvm-bolt's input; archive the file that "
          "'pgo bolt' wrote, before it is stripped");
}

void check_debug_info(const Release& release, Diagnostics& diagnostics) {
  for (const ReleaseFile& file : release.files)
    if (has_debug_info(file.image)) return;
  const ElfImage& executable = release.files[0].image;
  const std::string what =
      executable.symbols().empty() ? "is stripped" : "has no debug information";
  diagnostics.warn(
      "no-debug-information",
      executable.path() + ": " + what +
          ", and no debug file is archived with it, so its samples cannot be assigned to "
          "source lines; name the debug file with \xFF{debug-file}");
}

}  // namespace

std::string_view role_name(ReleaseRole role) {
  switch (role) {
    case ReleaseRole::kExecutable: return "executable";
    case ReleaseRole::kDebug: return "debug";
    case ReleaseRole::kPrebolt: return "prebolt";
  }
  return "";
}

Result<Release> open_release(const ReleasePaths& paths, Diagnostics& diagnostics) {
  PGO_TRY(ElfImage executable, open_executable(paths.executable));
  std::optional<ElfImage> prebolt, debug;
  if (!paths.prebolt.empty()) {
    PGO_TRY(prebolt, open_prebolt(paths.prebolt, executable, diagnostics));
  }
  if (!paths.debug.empty()) {
    std::vector<const ElfImage*> binaries{&executable};
    if (prebolt) binaries.push_back(&*prebolt);
    PGO_TRY(debug, open_debug(paths.debug, binaries, diagnostics));
  }
  Release release;
  add(release, ReleaseRole::kExecutable, std::move(executable));
  if (debug) add(release, ReleaseRole::kDebug, *std::move(debug));
  if (prebolt) add(release, ReleaseRole::kPrebolt, *std::move(prebolt));
  check_prebolt(release, diagnostics);
  check_translation(release, diagnostics);
  check_debug_info(release, diagnostics);
  return release;
}

}  // namespace pgo
