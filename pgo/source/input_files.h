// What the INPUT arguments of a command name: files, globs, directories, bundles, @list, "-".
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "pgo/base/bytes.h"
#include "pgo/base/diagnostics.h"
#include "pgo/base/result.h"
#include "pgo/profile/origins.h"
#include "pgo/source/bundle.h"

namespace pgo {

// A bundle that is among the inputs.
struct InputBundle {
  std::string directory;
  Bundle bundle;
  std::vector<RelativeWeight> weights;  // of its members
};

// The files that `arguments` stand for. A glob that the shell left alone is matched here; a
// directory stands for every regular file below it once, but hidden ones, and for directories that
// may not be listed; links to directories are not followed inside it. One with bundle.json at its
// root stands for the members of this bundle, which count by their weights. "@FILE" names one
// input per line (blank lines and lines that start with # do not count), "@-" does so on standard
// input. Sorted by path, so that
// neither the order of the arguments nor that of the file system matters. Only lists and
// bundle.json are read. Errors: also those of read_bundle(), and kInput for a member that is
// missing, has another size than its bundle says, or is a link that leaves the bundle.
struct InputFile {
  std::string path;
  bool from_directory = false;  // found by looking into one: it may be something else altogether
  bool named_before = false;    // the same file, perhaps by another path, comes before
  // How much its samples count; 1 outside of bundles.
  RelativeWeight weight = {};
  std::shared_ptr<const InputBundle> bundle = nullptr;  // that it is a member of
  size_t member = 0;                                    // which one
  std::string name = {};                                // for messages; empty: its path

  const std::string& shown() const { return name.empty() ? path : name; }
  // Those that its bundle has; none outside of bundles.
  Labels labels() const;
  // The same with the window; for its profile, which may say more.
  Origins origins() const;
};
// Lists that name each other several times could stand for any number of files.
struct InputLimits {
  size_t inputs = size_t{1} << 20, lists = 4096;
};
Result<std::vector<InputFile>> find_input_files(const std::vector<std::string>& arguments,
                                                const InputLimits& limits = {});

// Is a file that was read, as stored, what its bundle says? Error: kInput when the digest differs.
// O(size) for members of bundles.
Result<void> check_digest(const InputFile& file, Bytes stored);

// The bundles that `files` are members of, each once, in the order of their first members.
std::vector<std::shared_ptr<const InputBundle>> bundles_of(const std::vector<InputFile>& files);

// Kinds of warnings.
inline constexpr const char *kDamagedInput = "damaged-input", *kEmptyInput = "empty-file",
                            *kOtherInput = "not-a-recording",
                            *kUnreadableInput = "unreadable-input",
                            *kUnsupportedInput = "unsupported-input";

// A file that was only found in a directory is skipped with a warning when it is damaged, may not
// be read, or has nothing that counts here (kEmpty: a profile of memory, say). A file that was
// named is an error, and so is a file in a directory that should count and cannot be read here (a
// newer version, say). True: `error` of reading `file` makes it one to skip, and `diagnostics` say
// so.
bool skip_if_found(const InputFile& file, const Error& error, Diagnostics& diagnostics);

// For an error when nothing was left: "; skipped: b.pb.gz: gzip...", or "".
std::string name_unreadable(const Diagnostics& diagnostics);

}  // namespace pgo
