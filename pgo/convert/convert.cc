#include "pgo/convert/convert.h"

#include <algorithm>
#include <utility>

#include "converters/address/address_profile_writer.h"
#include "converters/llvm_sample/llvm_sample_reader.h"
#include "converters/llvm_sample/llvm_sample_writer.h"
#include "pgo/base/text_bytes.h"
#include "pgo/convert/bolt_outputs.h"
#include "pgo/convert/bolt_pair.h"
#include "pgo/convert/reference_tool.h"
#include "pgo/convert/source_outputs.h"
#include "pgo/ingest/low_yield.h"
#include "pgo/profile/accounting.h"
#include "pgo/profile/halves_quality.h"
#include "pgo/source/input_files.h"

namespace pgo {
namespace {

bool any_output(const ConvertRequest& request, bool (*is)(Format)) {
  return std::any_of(request.outputs.begin(), request.outputs.end(),
                     [&](const OutputSpec& output) { return is(output.format); });
}

bool is_address_format(Format format) { return format == Format::kAddressProfile; }
bool is_other_format(Format format) { return format != Format::kAddressProfile; }

// What the request itself forbids.
Result<void> check_request(const ConvertRequest& request) {
  if (request.as_llvm_profgen() && request.binaries.size() > 1)
    return fail(ErrorKind::kUsage, "\xFF{compat} takes one \xFF{binary}, as llvm-profgen does");
  for (const OutputSpec& output : request.outputs) {
    if (request.as_llvm_profgen() && !is_llvm_profile(output.format))
      return fail(ErrorKind::kUsage, "\xFF{compat} is for LLVM profiles",
                  "write " + output.path + " without it");
  }
  if (!request.check_against.empty() && !any_output(request, is_llvm_profile))
    return fail(ErrorKind::kUsage,
                "\xFF{check-against} " + request.check_against + " compares LLVM profiles",
                "write one (\xFF{output} llvm:PATH)");
  return ok();
}

// BOLT needs a profile for each binary that it can read.
Result<void> check_bolt_paths(const ConvertRequest& request, const BinarySet& binaries) {
  const auto read_by_bolt = std::count_if(
      binaries.binaries().begin(), binaries.binaries().end(), [&](const Binary& binary) {
        return find_translation_target(*binary.image, binaries) == nullptr;
      });
  for (const OutputSpec& output : request.outputs)
    if (!merges_binaries(output.format) && read_by_bolt > 1 && !names_binary(output.path))
      return fail(ErrorKind::kUsage,
                  "\xFF{output} " + output.path + ": BOLT needs one profile for each binary",
                  "put %b (file name) or %i (build ID) into the path");
  return ok();
}

// LLVM's binary form and GCC's cannot hold probes; better said before hours of recordings are read.
Result<void> check_probe_forms(const ConvertRequest& request, const BinarySet& binaries) {
  for (const OutputSpec& output : request.outputs)
    for (const Binary& binary : binaries.binaries()) {
      if (binary.probes == nullptr) continue;
      const std::string& path = binary.image->path();
      if (output.format == Format::kLlvmBinary)
        return fail(
            ErrorKind::kUsage,
            output.path + ": LLVM's binary form cannot hold pseudo probes, which " + path + " has",
            "use another form (\xFF{output} llvm:PATH), or \xFF{by-line}");
      if (is_gcc_profile(output.format))
        return fail(ErrorKind::kUsage,
                    output.path + ": GCC has no pseudo probes, which " + path + " has",
                    "\xFF{by-line} counts by line, in all outputs");
    }
  return ok();
}

ProbeUse probe_use(const ConvertRequest& request) {
  if (request.count_by == CountBy::kLine) return ProbeUse::kNone;
  // llvm-profgen looks for probes in the binary alone.
  return request.as_llvm_profgen() ? ProbeUse::kOfBinary : ProbeUse::kOfBinaryOrDebugFile;
}

// Options that say how to read what no input has: nothing is counted otherwise than without them.
void warn_of_idle_options(const ConvertRequest& request, IngestResult& input) {
  constexpr const char* kKind = "idle-option";
  Diagnostics& diagnostics = input.profile.diagnostics;
  if (request.without_line == WithoutLine::kAnywhereInFunction && input.symbolized.stacks.empty())
    diagnostics.warn(kKind,
                     "\xFF{without-lines} has no effect: all samples that are used have addresses");
  if (!request.assumed_build_ids.empty() && !input.has_assumed_build_ids)
    diagnostics.warn(
        kKind,
        "\xFF{assume-build-id} has no effect: no input names a binary without a build ID "
        "that could be this one");
}

// The address profiles: what was read, before anything is made of it.
Result<void> add_address_outputs(const ConvertRequest& request, const IngestResult& input,
                                 ConvertResult& result) {
  for (const OutputSpec& output : request.outputs) {
    if (!is_address_format(output.format)) continue;
    if (!input.symbolized.stacks.empty())
      return fail(ErrorKind::kUsage,
                  output.path + ": an address profile cannot hold samples without addresses",
                  "pgo merge adds up profiles of names and lines");
    PGO_TRY(std::string contents, write_address_profile(input.profile));
    result.outputs.push_back({output.path, std::move(contents)});
  }
  return ok();
}

// Where no input has branch records: all outputs but address profiles need traces.
Result<void> use_pc_samples(const ConvertRequest& request, IngestResult& input,
                            ConvertResult& result) {
  result.evidence = input.evidence_of_branches();
  if (request.as_llvm_profgen()) {
    input.leave_out_pc_samples();
    return ok();
  }
  if (!any_output(request, is_other_format)) {
    if (keep_pc_samples(input.profile)) result.evidence = Evidence::kPcSamples;
    return ok();
  }
  if (input.symbolized.stacks.empty()) {
    PGO_TRY(result.inference,
            infer_from_pc_samples(input.profile, result.opened, request.read.jobs));
  } else {
    PGO_TRY(result.inference,
            infer_from_symbolized_samples(std::move(input.symbolized), input.profile, result.opened,
                                          request.without_line, request.read.jobs));
  }
  if (result.inference)
    result.evidence = result.inference->evidence();
  else
    input.leave_out_pc_samples();
  return ok();
}

// What was counted of input.profile.binaries[index].
ConvertedBinary describe_counts(size_t index, const IngestResult& input,
                                const ConvertResult& result) {
  const BinaryCounts& counts = input.profile.binaries[index];
  ConvertedBinary binary;
  binary.path = counts.path_hint;
  binary.build_id = counts.id;
  binary.traces = counts.traces.size();
  if (input.proves_build(counts.id)) binary.identity = BuildIdentity::kProven;
  binary.evidence = result.evidence;
  if (!result.inference) {
    // Beside branch records, PC samples are not what the profile rests on.
    if (result.evidence == Evidence::kPcSamples) {
      binary.pc_samples = counts.pc_sample_count();
      binary.pc_sample_weight = counts.pc_sample_weight();
    }
    const HalvesOfRecords halves = judge_halves({&counts, 1});
    binary.split_half_overlap = halves.overlap;
    binary.quality = halves.quality;
    return binary;
  }
  const InferredBinary& inferred = result.inference->binaries[index];
  binary.pc_samples = inferred.samples;
  binary.pc_sample_weight = inferred.weight;
  binary.step_records = inferred.step_records;
  binary.split_half_overlap = inferred.split_half_overlap;
  binary.unsampled_flow_share = inferred.unsampled_flow_share;
  binary.evidence = result.inference->evidence_of(inferred);
  binary.quality = result.inference->quality_of(inferred);
  return binary;
}

// Says what is in the profile, or why nothing is.
Result<void> account_for(const ConvertRequest& request, IngestResult input, ConvertResult& result) {
  Yield yield{input.profile, result.opened, input.images, input.wrong_builds,
              result.inference.has_value()};
  if (std::optional<Error> error = diagnose_empty(yield)) return fail(*error);
  Diagnostics unsampled;
  if (!request.as_llvm_profgen()) warn_of_unsampled_binaries(yield, unsampled);
  result.low_yield = diagnose_low_yield(yield);
  input.profile.diagnostics.add(unsampled);
  if (result.low_yield) input.profile.diagnostics.warn(kLittleUsed, result.low_yield->text);
  for (size_t i = 0; i < input.profile.binaries.size(); i++)
    result.binaries.push_back(describe_counts(i, input, result));
  HalvesOfRecords halves;
  if (result.binaries.size() == 1)
    halves = {result.binaries[0].split_half_overlap, result.binaries[0].quality};
  else if (result.inference)
    halves = {result.inference->split_half_overlap, result.inference->quality()};
  else
    halves = judge_halves(input.profile.binaries);
  result.split_half_overlap = halves.overlap;
  result.quality = halves.quality;
  result.profile = std::move(input.profile);
  result.others = input.images.others();
  result.unused = std::move(input.unused);
  result.modified = std::move(input.modified);
  return ok();
}

// BOLT's profiles first: making a source profile uses the counts up, which are large.
Result<void> add_profile_outputs(const ConvertRequest& request, const Perf2bolt& perf2bolt,
                                 ConvertResult& result) {
  PGO_TRY(std::vector<MovedBinary> moved_for_bolt, add_bolt_outputs(request, perf2bolt, result));
  for (const OutputSpec& output : request.outputs) {
    if (!merges_binaries(output.format) || is_address_format(output.format)) continue;
    if (!result.source) {
      PGO_TRY(result.source, symbolize_counts(request, result));
    }
    PGO_TRY(std::string contents,
            write_source_profile(*result.source, output.format, request.read.jobs));
    result.outputs.push_back({output.path, std::move(contents)});
  }
  // Mostly the same counts were moved for the compiler.
  for (MovedBinary& moved : moved_for_bolt)
    if (std::none_of(result.moved.begin(), result.moved.end(),
                     [&](const MovedBinary& known) { return known.from == moved.from; }))
      result.moved.push_back(std::move(moved));
  return ok();
}

// By halves and density, where the inference has not said it.
void judge(ConvertResult& result) {
  if (result.inference) {
    result.quality = result.inference->quality();
    return;
  }
  const bool is_known = result.evidence != Evidence::kUnknown;
  auto judged = [&](double density, Quality by_halves) {
    return is_known ? quality_of_branch_records(density, by_halves) : Quality::kUnknown;
  };
  result.quality = judged(result.density, result.quality);
  for (ConvertedBinary& binary : result.binaries)
    binary.quality = judged(binary.density, binary.quality);
}

// Our profile beside the tool's, both as a compiler would read them.
Result<ProfileDifference> compare_with(const ReferenceTool& tool, const SourceProfile& source) {
  auto read = [](const std::string& contents, const std::string& name) {
    return read_llvm_sample(as_bytes(contents), name);
  };
  PGO_TRY(std::string theirs, tool.run(LlvmSampleFormat::kExtBinary));
  PGO_TRY(std::string ours, write_llvm_sample(source, LlvmSampleFormat::kExtBinary));
  PGO_TRY(LlvmSampleFile first, read(ours, "our profile"));
  PGO_TRY(LlvmSampleFile second, read(theirs, tool.program() + "'s profile"));
  return find_differences(first.profile, second.profile);
}

// Reference tools know no weights.
Result<void> refuse_weights(const ConvertRequest& request, const std::vector<InputFile>& files) {
  for (const InputFile& file : files)
    if (!file.weight.is_one())
      return fail(ErrorKind::kUsage,
                  "\xFF{check-against} " + request.check_against + ": " + file.path +
                      " is of a bundle with weights, which other tools do not know",
                  "name the files of the bundle instead of the bundle");
  return ok();
}

}  // namespace

Result<ConvertResult> convert(const ConvertRequest& request) {
  ConvertResult result;
  PGO_CHECK(check_request(request));

  // What is read, and the tools that are run.
  PGO_TRY(std::vector<InputFile> files, find_input_files(request.inputs));
  std::optional<ReferenceTool> tool;
  if (!request.check_against.empty()) {
    PGO_CHECK(refuse_weights(request, files));
    PGO_TRY(tool, ReferenceTool::find(request.check_against, request, files));
  }
  const std::vector<std::string> paths =
      request.as_llvm_profgen() ? request.binaries : with_bolt_inputs_beside(request.binaries);
  PGO_TRY(result.opened,
          BinarySet::open(paths, request.debug, BinaryUse::kCounts, probe_use(request)));
  PGO_CHECK(result.opened.assume(request.assumed_build_ids));

  // What is written. Nothing of it is read, and all of it can be written.
  PGO_CHECK(check_bolt_paths(request, result.opened));
  PGO_CHECK(check_probe_forms(request, result.opened));
  std::vector<PlannedFile> planned =
      plan_files(request.outputs, result.opened, request.other_files);
  PGO_CHECK(check_plan(planned, paths_to_read(paths, request.debug, files)));
  PGO_TRY(Perf2bolt perf2bolt, find_perf2bolt_for(request));

  // All inputs, as counts by address.
  result.bundles = bundles_of(files);
  Diagnostics left_out;
  PGO_CHECK(leave_out_outputs(planned, files, left_out));
  PGO_TRY(IngestResult input,
          ingest({std::move(files), request.read, request.progress}, result.opened));
  input.profile.diagnostics.add(left_out);
  warn_of_idle_options(request, input);
  PGO_CHECK(add_address_outputs(request, input, result));
  PGO_CHECK(use_pc_samples(request, input, result));
  PGO_CHECK(account_for(request, std::move(input), result));

  // Every output, in memory; then what a reference tool makes of the recording.
  PGO_CHECK(add_profile_outputs(request, perf2bolt, result));
  judge(result);
  if (tool && result.source)
    result.check = ReferenceCheck{tool->program(), compare_with(*tool, *result.source)};
  return result;
}

}  // namespace pgo
