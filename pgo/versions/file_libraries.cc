#include "pgo/versions/file_libraries.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "pgo/base/file_name.h"
#include "pgo/registry/library_name.h"

namespace pgo {
namespace {

// Of llvm-bolt's input; empty: not known.
std::string build_of(const ProfileFile& file) {
  if (file.kind == FileKind::kBolt) return file.bolt_of;
  return file.of_builds.size() == 1 ? file.of_builds[0] : "";
}

struct Named {
  const LibraryFile* file = nullptr;
  std::string library;
};

Result<Named> parse(const std::string& text, const std::vector<LibraryFile>& files) {
  const size_t equals = text.rfind('=');
  const std::string path = text.substr(0, equals);
  const std::string name = equals == text.npos ? "" : text.substr(equals + 1);
  if (path.empty() || equals == text.npos || (!name.empty() && !is_library_name(name)))
    return fail(ErrorKind::kUsage,
                "\xFF{library} " + text + ": FILE=NAME expected, such as q.fdata=libquery.so");
  const auto found = std::find_if(files.begin(), files.end(),
                                  [&](const LibraryFile& file) { return file.path == path; });
  if (found == files.end())
    return fail(ErrorKind::kUsage,
                "\xFF{library} " + text + ": '" + path + "' is none of the files to push",
                "name it as the argument does");
  if (!is_for_bolt(*found->file))
    return fail(ErrorKind::kUsage, "\xFF{library} " + text + ": '" + path +
                                       "' is not for BOLT, and so not of one binary only");
  return Named{&*found, name.empty() ? "" : library_name(name)};
}

}  // namespace

bool is_for_bolt(const ProfileFile& file) {
  return file.kind == FileKind::kBolt || file.kind == FileKind::kPrebolt;
}

std::optional<std::string> library_of_binary(const std::string& path) {
  if (is_digest_name(path)) return std::nullopt;
  std::string_view name = file_name(path);
  for (const std::string_view added : {".debug", ".prebolt"})
    if (name.ends_with(added)) name.remove_suffix(added.size());
  const std::string library = library_name(std::string(name));
  return library.ends_with(".so") ? library : "";
}

Result<void> set_libraries(const std::vector<LibraryFile>& files,
                           const std::vector<std::string>& named, Diagnostics& diagnostics) {
  std::map<std::string, Named> by_build;
  std::map<const LibraryFile*, std::string> by_file;
  for (const std::string& text : named) {
    PGO_TRY(const Named one, parse(text, files));
    by_file[one.file] = one.library;
    const std::string build = build_of(*one.file->file);
    if (build.empty()) continue;
    const auto [other, is_new] = by_build.emplace(build, one);
    if (!is_new && other->second.library != one.library)
      return fail(ErrorKind::kUsage, other->second.file->path + " and " + one.file->path +
                                         " are of the same build (" + build +
                                         "), and \xFF{library} names different binaries for them");
  }
  for (const LibraryFile& file : files)
    if (const std::string build = build_of(*file.file); file.binary.library && !build.empty())
      by_build.emplace(build, Named{&file, *file.binary.library});
  for (const LibraryFile& file : files) {
    if (!is_for_bolt(*file.file)) continue;
    const auto of_file = by_file.find(&file);
    const auto of_build = by_build.find(build_of(*file.file));
    if (of_file != by_file.end())
      file.file->library = of_file->second;
    else if (of_build != by_build.end())
      file.file->library = of_build->second.library;
    else if (!file.binary.is_alone)
      diagnostics.warn("unknown-binary",
                       file.path + ": its report names its binary only by build ID (" +
                           build_of(*file.file) +
                           "), so it is taken for the program's; if it is of a shared library, "
                           "say so with \xFF{library} FILE=NAME");
  }
  return ok();
}

}  // namespace pgo
