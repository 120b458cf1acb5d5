#include "pgo/cli/output_paths.h"

#include <unistd.h>

#include <algorithm>
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

// The files that the command reads. Those found by looking into a directory may be what an earlier
// run wrote there, and a name that holds no recording is reported when it is read.
std::vector<std::string> read_paths(const ConvertOptions& options) {
  std::vector<std::string> paths = options.binaries;
  paths.insert(paths.end(), options.debug_files.begin(), options.debug_files.end());
  Result<std::vector<InputFile>> inputs = find_input_files(options.inputs);
  if (!inputs) return paths;
  for (const InputFile& input : *inputs)
    if (!input.from_directory) paths.push_back(input.path);
  return paths;
}

Result<void> check_nothing_replaced(const PlannedFile& file, const std::vector<std::string>& read) {
  for (const std::string& path : read)
    if (is_same_file(file.path, path))
      return fail(ErrorKind::kUsage, file.asked_by + " would replace " + path + ", which is read");
  return ok();
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

bool is_same_file(const std::string& output, const std::string& input) {
  std::error_code missing;  // then it replaces nothing
  return std::filesystem::is_regular_file(output, missing) &&
         std::filesystem::equivalent(output, input, missing);
}

std::string identity_of(const std::string& path) {
  if (path == "-") return path;
  std::error_code error;
  std::filesystem::path canonical =
      std::filesystem::weakly_canonical(std::filesystem::absolute(path), error);
  return error ? path : canonical.string();
}

Result<void> refuse_terminal(const OutputFile& output) {
  if (output.path != "-" || output.is_text() || ::isatty(STDOUT_FILENO) == 0) return ok();
  return fail(ErrorKind::kUsage,
              "standard output is a terminal, and what would be written to it is binary; name a "
              "file, or redirect it (> FILE)");
}

Result<std::vector<OutputFile>> parse_outputs(const ConvertOptions& options) {
  std::vector<OutputFile> outputs;
  for (const std::string& argument : options.outputs) {
    PGO_TRY(OutputFile output, parse_output(argument));
    PGO_CHECK(refuse_terminal(output));
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

std::vector<std::string> written_paths(const std::vector<OutputFile>& outputs,
                                       const BinarySet& binaries, const ConvertOptions& options) {
  std::vector<std::string> paths;
  for (PlannedFile& file : plan_files(outputs, binaries, options))
    paths.push_back(std::move(file.path));
  return paths;
}

Result<void> leave_out_outputs(const std::vector<std::string>& written,
                               std::vector<InputFile>& files, Diagnostics& diagnostics) {
  std::string last;
  std::erase_if(files, [&](const InputFile& file) {
    bool is_output = file.from_directory &&
                     std::any_of(written.begin(), written.end(), [&](const std::string& output) {
                       return is_same_file(output, file.path);
                     });
    if (!is_output) return false;
    last = file.path;
    diagnostics.warn("own-output", file.path + ": is written by this command and was not read");
    return true;
  });
  if (!files.empty()) return ok();
  return fail(ErrorKind::kInput,
              last + ": is written by this command, and there is nothing else to read");
}

Result<void> check_output_paths(const std::vector<OutputFile>& outputs, const BinarySet& binaries,
                                const ConvertOptions& options) {
  std::vector<PlannedFile> files = plan_files(outputs, binaries, options);
  for (size_t i = 0; i < files.size(); i++)
    for (size_t j = 0; j < i; j++)
      if (identity_of(files[i].path) == identity_of(files[j].path))
        return written_twice(files[j], files[i]);
  std::vector<std::string> read = read_paths(options);
  for (const PlannedFile& file : files) {
    PGO_CHECK(check_nothing_replaced(file, read));
    PGO_CHECK(AtomicFile::check_writable(file.path));
  }
  return ok();
}

}  // namespace pgo
