// pgo merge: the command line of merge() (pgo/merge/merge.h).

#include <memory>
#include <nlohmann/json.hpp>

#include "pgo/cli/arguments/command_line.h"
#include "pgo/cli/arguments/output_argument.h"
#include "pgo/cli/arguments/registries.h"
#include "pgo/cli/arguments/shard_argument.h"
#include "pgo/cli/arguments/shared_options.h"
#include "pgo/cli/arguments/sources.h"
#include "pgo/cli/arguments/weight_argument.h"
#include "pgo/cli/commands/commands.h"
#include "pgo/cli/terminal/exit_code.h"
#include "pgo/cli/terminal/messages.h"
#include "pgo/cli/terminal/option_words.h"
#include "pgo/cli/terminal/progress_line.h"
#include "pgo/cli/terminal/written_files.h"
#include "pgo/merge/merge.h"
#include "pgo/report/json_text.h"
#include "pgo/report/merge_report.h"

namespace pgo {
namespace {

// The options as they are given; what needs no parsing is in the request at once.
struct MergeArguments {
  OutputArguments output;
  std::vector<std::string> weights;  // FILE=WEIGHT
  std::string host_label, shard;
  std::vector<std::string> kept_labels, dropped_labels, renamed_labels, allowed_labels;
  std::vector<std::string> build_ids;
  RegistryArguments registry;
  MergeRequest request;
};

Result<void> parse_labels(const MergeArguments& arguments, LabelRules& labels) {
  if (!arguments.kept_labels.empty())
    labels.kept.emplace(arguments.kept_labels.begin(), arguments.kept_labels.end());
  labels.dropped.insert(arguments.dropped_labels.begin(), arguments.dropped_labels.end());
  for (const std::string& argument : arguments.renamed_labels) {
    size_t equals = argument.find('=');
    if (equals == std::string::npos || equals == 0)
      return fail(ErrorKind::kUsage,
                  "--rename-label " + argument + ": '=' expected, as in OLD=NEW");
    labels.renamed[argument.substr(0, equals)] = argument.substr(equals + 1);
  }
  return ok();
}

// Completes the request with what had to be parsed.
Result<void> parse(MergeArguments& arguments) {
  MergeRequest& request = arguments.request;
  for (const std::string& argument : arguments.weights) {
    PGO_TRY(InputWeight weight, parse_input_weight(argument));
    request.weights.push_back(std::move(weight));
  }
  if (!arguments.host_label.empty()) request.host_label = arguments.host_label;
  if (!arguments.shard.empty()) {
    PGO_TRY(request.shard, parse_shard(arguments.shard));
  }
  PGO_CHECK(parse_labels(arguments, request.labels));
  request.allowed_labels.insert(arguments.allowed_labels.begin(), arguments.allowed_labels.end());
  for (const std::string& text : arguments.build_ids) {
    std::optional<BuildId> id = BuildId::from_hex(text);
    if (!id || id->bytes().size() < BuildId::kMinSize)
      return fail(ErrorKind::kUsage,
                  "--build-id " + text + ": 16 hexadecimal digits or more expected");
    request.builds.push_back(*id);
  }
  PGO_TRY(request.outputs, parse_outputs(arguments.output.outputs, FormatUse::kMerge));
  request.other_files = planned_files(arguments.output, {});
  return ok();
}

// The outputs and, where they were asked for, the figures.
Result<void> write(const MergeResult& result, const MergeArguments& arguments) {
  std::vector<FileContents> files;
  for (const MergedOutput& output : result.outputs) files.push_back({output.path, output.contents});
  const std::string json = json_text(json_with_option_words(merge_json(result)));
  if (!arguments.output.report.empty()) files.push_back({arguments.output.report, json});
  if (arguments.output.json) files.push_back({"-", json});
  return write_files(files);
}

// The kinds of files that these outputs are merged from.
std::vector<FileKind> kinds_for(const std::vector<OutputSpec>& outputs) {
  for (const OutputSpec& output : outputs) {
    if (is_llvm_profile(output.format)) return {FileKind::kLlvm};
    if (output.format == Format::kAddressProfile) return {FileKind::kAddress};
  }
  return {FileKind::kPprof, FileKind::kGo};
}

Result<ExitCode> run(MergeArguments& arguments) {
  PGO_CHECK(parse(arguments));
  MergeRequest& request = arguments.request;
  FetchedInputs fetched(arguments.registry);
  PGO_CHECK(fetched.replace(request.inputs, kinds_for(request.outputs)));
  for (InputWeight& weight : request.weights) weight.input = fetched.replaced(weight.input);
  PGO_TRY(MergeResult result, with_progress(request.progress, [&] { return merge(request); }));
  PGO_CHECK(write(result, arguments));
  print(merge_messages(result));
  return kExitDone;
}

}  // namespace

void declare_merge(CommandLine& line) {
  auto options = std::make_shared<MergeArguments>();
  MergeRequest* request = &options->request;
  line.argument("INPUT", request->inputs,
                "Profiles of one kind: stack profiles (pprof, gperftools, folded),\n"
                "address profiles (.addr), or LLVM sample profiles:\n"
                "files, globs, directories, @LIST (@-: names on standard input), bundles and\n"
                "sources of pgo fetch, versions (REFERENCE, pgo.lock#NAME), or -")
      .required();
  line.option(
          "-o,--output", options->output.outputs,
          "Write this file; may be given several times:\n" + output_formats_help(FormatUse::kMerge))
      .required()
      .group(kOutputGroup);
  line.option("--weight", options->weights,
              "INPUT=WEIGHT: multiply the samples of this input (file, glob, directory, source)\n"
              "by WEIGHT, such as 3, 0.25 or 3/2")
      .group(kWeightGroup);
  line.option("--normalize", request->normalization,
              Words<Normalization>{{"duration", Normalization::kDuration},
                                   {"samples", Normalization::kSamples},
                                   {"host", Normalization::kHost}},
              "Scale the inputs to the same recording time (duration), to the same total\n"
              "(samples), or to the same total for each host (host)")
      .group(kWeightGroup);
  line.option("--host-label", options->host_label,
              "The label that names the host, for --normalize host")
      .default_text(MergeRequest::kHostLabel)
      .group(kWeightGroup);
  line.option("--shard", options->shard,
              "I/N: merge only the inputs of shard I of N (0 to N-1), chosen by a hash of their\n"
              "names. Merging the outputs of all N shards gives the same bytes as one merge")
      .type_name("I/N")
      .group(kInputGroup);
  line.option("--sample-type", request->sample_types,
              "Keep only this sample type (cpu, or cpu/nanoseconds); may be given several times")
      .group(kSelectionGroup);
  line.option("--build-id", options->build_ids,
              "Keep only samples of processes that ran this build")
      .group(kSelectionGroup);
  line.option("--keep-label", options->kept_labels, "Keep only labels with this key")
      .group(kLabelGroup);
  line.option("--drop-label", options->dropped_labels,
              "Drop labels with this key ('*': all labels)")
      .group(kLabelGroup);
  line.option("--rename-label", options->renamed_labels, "OLD=NEW: rename the label key OLD to NEW")
      .group(kLabelGroup);
  add_allow_label_option(line, options->allowed_labels);
  add_trim_path_option(line, request->trimmed_paths);
  add_report_option(line, options->output.report);
  add_json_option(line, options->output.json);
  add_jobs_option(line, request->jobs);
  add_registry_options(line, options->registry);
  line.footer(
      "The format of the output decides which kind of input is read. 'pgo convert' turns\n"
      "pprof and address profiles into profiles for compilers and BOLT; .prof is for clang,\n"
      "default.pgo for Go. Sums are computed exactly and rounded once, halves away from zero. The\n"
      "order of the inputs does not change the output.\n"
      "Examples:\n"
      "  pgo merge profiles/ -o merged.pb.gz\n"
      "  pgo convert merged.pb.gz --binary ./server -o server.prof\n"
      "  pgo merge eu/ us/ --weight us/=3/2 --normalize duration -o default.pgo -o all.folded\n"
      "  pgo merge hosts/*.addr -o fleet.addr\n"
      "  find hosts -name '*.addr' | pgo merge @- --shard 3/16 -o shard3.addr");
  line.run([options] { return report_any_failure(run(*options), options->output.json); });
}

}  // namespace pgo
