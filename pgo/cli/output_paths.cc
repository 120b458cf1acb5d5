#include "pgo/cli/output_paths.h"

#include <filesystem>

#include "pgo/base/atomic_file.h"

namespace pgo {
namespace {

struct PlannedFile {
  std::string path;
  std::string asked_by;             // the argument, for messages
  const ElfImage* image = nullptr;  // whose profile it is, when it is one of several
};

std::vector<PlannedFile> plan_files(const std::vector<OutputFile>& outputs,
                                    const BinarySet& binaries, const ConvertOptions& options) {
  std::vector<PlannedFile> files;
  for (const OutputFile& output : outputs) {
    std::string argument = "-o " + output.path;
    if (output.merges_binaries()) {
      files.push_back({output.path, argument});
      continue;
    }
    for (const Binary& binary : binaries.binaries()) {
      const ElfImage& image = *binary.image;
      files.push_back({path_for_binary(output.path, image.path(), image.build_id().hex()),
                       argument + " for " + image.path(), &image});
    }
  }
  if (!options.report.empty()) files.push_back({options.report, "--report " + options.report});
  if (options.json) files.push_back({"-", "--json"});
  return files;
}

// The same for two spellings of one path.
std::string identity_of(const std::string& path) {
  if (path == "-") return path;
  std::error_code error;
  std::filesystem::path canonical =
      std::filesystem::weakly_canonical(std::filesystem::absolute(path), error);
  return error ? path : canonical.string();
}

Failure written_twice(const PlannedFile& first, const PlannedFile& second) {
  std::string advice = "name another file";
  if (first.image != nullptr && second.image != nullptr && first.image != second.image)
    advice = first.image->build_id().empty() || second.image->build_id().empty()
                 ? "convert these binaries one by one: no build id tells them apart"
                 : "put %i (build id) into the path";
  return fail(ErrorKind::kUsage, (first.path == "-" ? "standard output" : first.path) +
                                     " would be written twice, by " + first.asked_by + " and by " +
                                     second.asked_by + "; " + advice);
}

}  // namespace

Result<std::vector<OutputFile>> parse_outputs(const ConvertOptions& options) {
  std::vector<OutputFile> outputs;
  for (const std::string& argument : options.outputs) {
    PGO_TRY(OutputFile output, parse_output(argument));
    if (!output.is_llvm() && options.as_llvm_profgen())
      return fail(ErrorKind::kUsage,
                  "--compat=llvm-profgen is for LLVM profiles; write " + argument + " without it");
    if (!output.merges_binaries() && options.binaries.size() > 1 && !names_binary(output.path))
      return fail(ErrorKind::kUsage, "-o " + argument +
                                         ": BOLT needs one profile for each binary; put %b (file "
                                         "name) or %i (build id) into the path");
    outputs.push_back(std::move(output));
  }
  return outputs;
}

Result<void> check_output_paths(const std::vector<OutputFile>& outputs, const BinarySet& binaries,
                                const ConvertOptions& options) {
  std::vector<PlannedFile> files = plan_files(outputs, binaries, options);
  for (size_t i = 0; i < files.size(); i++)
    for (size_t j = 0; j < i; j++)
      if (identity_of(files[i].path) == identity_of(files[j].path))
        return written_twice(files[j], files[i]);
  for (const PlannedFile& file : files) PGO_CHECK(AtomicFile::check_writable(file.path));
  return ok();
}

}  // namespace pgo
