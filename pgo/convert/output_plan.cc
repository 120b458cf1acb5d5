#include "pgo/convert/output_plan.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "pgo/base/atomic_file.h"
#include "pgo/base/file_name.h"
#include "pgo/convert/bolt_pair.h"
#include "pgo/source/file_identity.h"

namespace pgo {
namespace {

Failure written_twice(const PlannedFile& first, const PlannedFile& second) {
  std::string advice = "name another file";
  if (first.image != nullptr && second.image != nullptr && first.image != second.image)
    advice = first.image->build_id().empty() || second.image->build_id().empty()
                 ? "convert these binaries one by one: they have no build IDs to tell them apart"
                 : "put %i (build ID) into the path";
  return fail(ErrorKind::kUsage,
              (first.path == "-" ? "standard output" : first.path) +
                  " would be written twice, by " + first.asked_by + " and by " + second.asked_by,
              advice);
}

}  // namespace

bool names_binary(const std::string& path) {
  return path.find("%b") != std::string::npos || path.find("%i") != std::string::npos;
}

std::string binary_name(const std::string& path) {
  std::string_view name = file_name(path);
  if (name.ends_with(kBeforeBolt)) name.remove_suffix(kBeforeBolt.size());
  return std::string(name);
}

std::string path_for_binary(const std::string& path, const std::string& binary_path,
                            const std::string& build_id) {
  std::string result, name = binary_name(binary_path);
  if (is_digest_name(binary_path) && !build_id.empty()) name = build_id;
  for (size_t i = 0; i < path.size(); i++) {
    if (path[i] == '%' && i + 1 < path.size() && (path[i + 1] == 'b' || path[i + 1] == 'i')) {
      result += path[++i] == 'b' ? name : build_id;
    } else {
      result += path[i];
    }
  }
  return result;
}

std::vector<PlannedFile> plan_files(const std::vector<OutputSpec>& outputs,
                                    const BinarySet& binaries,
                                    const std::vector<PlannedFile>& others) {
  std::vector<PlannedFile> files;
  for (const OutputSpec& output : outputs) {
    std::string argument = "\xFF{output} " + output.path;
    if (merges_binaries(output.format)) {
      files.push_back({output.path, argument});
      continue;
    }
    for (const Binary& binary : binaries.binaries()) {
      const ElfImage& image = *binary.image;
      if (find_translation_target(image, binaries) != nullptr) continue;
      files.push_back({path_for_binary(output.path, image.path(), image.build_id().hex()),
                       argument + " for " + image.path(), &image});
    }
  }
  files.insert(files.end(), others.begin(), others.end());
  return files;
}

std::vector<std::string> paths_to_read(const std::vector<std::string>& binaries,
                                       const DebugPlaces& debug,
                                       const std::vector<InputFile>& inputs) {
  std::vector<std::string> paths = binaries;
  paths.insert(paths.end(), debug.files.begin(), debug.files.end());
  for (const InputFile& input : inputs)
    if (!input.from_directory) paths.push_back(input.path);
  return paths;
}

Result<void> leave_out_outputs(const std::vector<PlannedFile>& planned,
                               std::vector<InputFile>& files, Diagnostics& diagnostics) {
  std::string last;
  std::erase_if(files, [&](const InputFile& file) {
    bool is_output = file.from_directory &&
                     std::any_of(planned.begin(), planned.end(), [&](const PlannedFile& output) {
                       return is_same_file(output.path, file.path);
                     });
    if (!is_output) return false;
    last = file.path;
    diagnostics.warn("own-output", file.path + ": is an output of this command and was not read");
    return true;
  });
  if (!files.empty()) return ok();
  return fail(ErrorKind::kInput,
              last + ": is an output of this command, and there is nothing else to read");
}

Result<void> check_plan(const std::vector<PlannedFile>& planned,
                        const std::vector<std::string>& read) {
  for (size_t i = 0; i < planned.size(); i++)
    for (size_t j = 0; j < i; j++)
      if (identity_of(planned[i].path) == identity_of(planned[j].path))
        return written_twice(planned[j], planned[i]);
  for (const PlannedFile& file : planned) {
    std::error_code missing;  // then it replaces nothing, however many files are read
    const bool is_there = std::filesystem::is_regular_file(file.path, missing);
    for (const std::string& path : read)
      if (is_there && is_same_file(file.path, path))
        return fail(ErrorKind::kUsage,
                    file.asked_by + " would replace " + path + ", which is read");
    PGO_CHECK(AtomicFile::check_writable(file.path));
  }
  return ok();
}

}  // namespace pgo
