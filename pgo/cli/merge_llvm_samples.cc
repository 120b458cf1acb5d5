// LLVM sample profiles into one, as llvm-profdata merge --sample does. LLVM's reader of text keeps
// its state in static variables, so files are read one after another.

#include "converters/llvm_sample/llvm_sample_merger.h"
#include "converters/llvm_sample/llvm_sample_writer.h"
#include "pgo/cli/file_kind.h"
#include "pgo/cli/funnel.h"
#include "pgo/cli/merge_kinds.h"

namespace pgo {
namespace {

// Nothing when the file is to be passed over.
Result<std::optional<LlvmSampleFile>> read(Bytes bytes, const InputFile& input,
                                           Diagnostics& diagnostics) {
  using Found = std::optional<LlvmSampleFile>;
  if (!is_llvm_sample(bytes)) {
    if (!input.from_directory)
      return fail(
          ErrorKind::kMismatch,
          tell_file(bytes, input.path,
                    ", and only LLVM sample profiles are merged into one; 'pgo convert' makes "
                    "them of recordings, pprof and address profiles (--binary)"));
    diagnostics.warn("not-a-profile",
                     input.path + ": is no LLVM sample profile and was passed over");
    return Found();
  }
  warn_if_repeated(input, diagnostics);
  PGO_TRY(LlvmSampleFile file, read_llvm_sample(bytes, input.path));
  return Found(std::move(file));
}

Result<uint64_t> whole_weight(const MergeInputs& inputs, size_t file) {
  Weight weight = inputs.weight_of(file);
  if (weight.numerator % weight.denominator == 0) return weight.numerator / weight.denominator;
  return fail(ErrorKind::kUsage, "--weight " + inputs[file].path +
                                     ": LLVM sample profiles take whole weights of 1 or more");
}

LlvmSampleFormat format_of(const OutputFile& output) {
  if (output.format == OutputFormat::kLlvmText) return LlvmSampleFormat::kText;
  return output.format == OutputFormat::kLlvmBinary ? LlvmSampleFormat::kBinary
                                                    : LlvmSampleFormat::kExtBinary;
}

}  // namespace

Result<MergeResult> merge_llvm_samples(const std::vector<InputFile>& files,
                                       const MergeOptions& options,
                                       const std::vector<OutputFile>& outputs) {
  MergeInputs inputs(files, options.weights, options.jobs);
  LlvmSampleMerger merger;
  MergeResult result;
  uint64_t merged = 0;
  for (size_t i = 0; i < inputs.size(); i++) {
    PGO_TRY(uint64_t weight, whole_weight(inputs, i));
    PGO_TRY(std::optional<LlvmSampleFile> file,
            inputs.with_bytes(i, result.diagnostics, [&](Bytes bytes) {
              return read(bytes, inputs[i], result.diagnostics);
            }));
    if (!file) continue;
    PGO_CHECK(merger.add(*std::move(file), inputs[i].path, weight));
    merged++;
  }
  SourceProfile profile = std::move(merger).finish();
  if (profile.functions.empty())
    return fail(ErrorKind::kEmpty, merged == 0 ? "no input is an LLVM sample profile" +
                                                     name_unreadable(result.diagnostics)
                                               : "no input has a function");
  for (const OutputFile& output : outputs) {
    PGO_TRY(std::string contents, write_llvm_sample(profile, format_of(output), options.jobs));
    result.contents.push_back(std::move(contents));
  }
  result.diagnostics.add(profile.diagnostics);
  result.notes.push_back(format_count(merged, "LLVM sample profile") + ": " +
                         format_count(profile.functions.size(), "function"));
  result.json = {{"inputs", merged},
                 {"functions", profile.functions.size()},
                 {"probe_based", profile.is_probe_based}};
  return result;
}

}  // namespace pgo
