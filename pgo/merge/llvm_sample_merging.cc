// LLVM sample profiles into one, as llvm-profdata merge --sample does. LLVM's reader of text keeps
// its state in static variables, so files are read one after another.

#include "converters/llvm_sample/llvm_sample_merger.h"
#include "converters/llvm_sample/llvm_sample_writer.h"
#include "pgo/convert/source_outputs.h"
#include "pgo/merge/kinds.h"
#include "pgo/merge/merging.h"

namespace pgo {
namespace {

class LlvmSampleKind {
 public:
  using Profile = LlvmSampleFile;
  using Sum = LlvmSampleMerger;

  explicit LlvmSampleKind(std::map<std::string, uint64_t> multiples)
      : multiples_(std::move(multiples)) {}

  Result<std::optional<LlvmSampleFile>> read(MergeInputs& inputs, size_t file,
                                             const InputBytes& bytes,
                                             Diagnostics& diagnostics) const {
    const InputFile& named = inputs[file];
    if (!bytes.format() || !is_llvm_profile(*bytes.format())) {
      if (!named.from_directory)
        return fail(ErrorKind::kMismatch,
                    bytes.describe(", and only LLVM sample profiles are merged into one; 'pgo "
                                   "convert' makes them of recordings, pprof and address profiles "
                                   "(\xFF{binary})"));
      inputs.warn_of_other_kind(file, "an LLVM sample profile", diagnostics);
      return std::optional<LlvmSampleFile>();
    }
    inputs.duplicates().add(named, bytes.file());
    PGO_TRY(LlvmSampleFile profile, read_llvm_sample(bytes.contents(), named.path));
    return std::optional<LlvmSampleFile>(std::move(profile));
  }

  // Nothing in these profiles says how much was recorded; merge() refuses to normalize them.
  Result<MeasuredInput> measure(const LlvmSampleFile&, const InputFile&) const {
    return MeasuredInput();
  }

  Result<void> add(LlvmSampleFile file, const std::string& path, Weight, const MergeFactors&,
                   LlvmSampleMerger& sum) const {
    return sum.add(std::move(file), path, multiples_.at(path));
  }

  // One thread reads, so there is one sum.
  Result<void> join(LlvmSampleMerger&&, LlvmSampleMerger&) const {
    return fail(ErrorKind::kInternal, "LLVM sample profiles were read by several threads");
  }

 private:
  std::map<std::string, uint64_t> multiples_;  // by path
};

}  // namespace

Result<MergeResult> merge_llvm_samples(const MergePlan& plan, const MergeRequest& request) {
  constexpr unsigned kJobs = 1;
  PGO_TRY(auto multiples, whole_multiples(plan));
  const LlvmSampleKind kind(std::move(multiples));
  PGO_TRY(auto merged, Merging(kind, plan, request, kJobs).run());
  SourceProfile profile = std::move(merged.sum).finish();
  if (profile.is_empty())
    return fail(ErrorKind::kEmpty, merged.inputs == 0 ? "no input is an LLVM sample profile" +
                                                            name_unreadable(merged.diagnostics)
                                                      : "no input has a function");
  MergeResult result;
  for (const OutputSpec& output : request.outputs) {
    const LlvmSampleFormat format = llvm_form(output.format);
    if (leaves_out_vtables(profile, format))
      profile.diagnostics.warn(
          "lost-vtables",
          output.path +
              ": LLVM's binary form has no place for the counts by vtable of "
              "the inputs; use the extensible binary form (\xFF{output} llvm:PATH) or "
              "text (\xFF{output} llvm-text:PATH)");
    PGO_TRY(std::string contents, write_llvm_sample(profile, format, request.jobs));
    result.outputs.push_back({output.path, std::move(contents)});
  }
  result.inputs = merged.inputs;
  result.diagnostics = std::move(merged.diagnostics);
  result.diagnostics.add(profile.diagnostics);
  result.merged = MergedLlvmSamples{.functions = profile.function_count(),
                                    .is_probe_based = profile.is_probe_based};
  return result;
}

}  // namespace pgo
