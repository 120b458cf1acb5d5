// pgo merge: profiles of many hosts, or of many minutes, into one. The order of inputs and the
// number of threads never change a byte of the output.

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "converters/folded/folded.h"
#include "converters/pprof/frame_pruning.h"
#include "converters/pprof/pprof_writer.h"
#include "pgo/base/atomic_file.h"
#include "pgo/base/gzip.h"
#include "pgo/cli/command.h"
#include "pgo/cli/description.h"
#include "pgo/cli/funnel.h"
#include "pgo/cli/input_files.h"
#include "pgo/cli/json_text.h"
#include "pgo/cli/messages.h"
#include "pgo/cli/option_checks.h"
#include "pgo/cli/output_file.h"
#include "pgo/cli/output_paths.h"
#include "pgo/cli/stack_builds.h"
#include "pgo/cli/stack_merge.h"

namespace pgo {
namespace {

struct MergeOptions {
  std::vector<std::string> inputs, outputs;
  std::vector<std::string> weights;  // FILE=WEIGHT
  std::string normalization;
  std::vector<std::string> kept_labels, dropped_labels, renamed_labels;
  std::vector<std::string> build_ids;
  bool json = false;
  StackMergeOptions merge;
};

// "name=value", at the last or the first '='.
Result<std::pair<std::string, std::string>> split(const char* option, const std::string& text,
                                                  size_t equals) {
  if (equals != std::string::npos && equals > 0)
    return std::pair(text.substr(0, equals), text.substr(equals + 1));
  return fail(ErrorKind::kUsage, std::string(option) + " " + text + ": '=' expected, as in " +
                                     (std::string(option) == "--weight" ? "FILE=3/2" : "OLD=NEW"));
}

// What --weight names are inputs: files, globs or directories.
Result<void> take_weights(const std::vector<InputFile>& files, MergeOptions& options) {
  for (const std::string& argument : options.weights) {
    PGO_TRY(auto parts, split("--weight", argument, argument.rfind('=')));
    PGO_TRY(Weight weight, parse_weight(parts.second));
    PGO_TRY(std::vector<InputFile> named, find_input_files({parts.first}));
    for (const InputFile& one : named) {
      bool is_input = false;
      for (const InputFile& file : files) {
        if (file.path != one.path && identity_of(file.path) != identity_of(one.path)) continue;
        options.merge.weights[file.path] = weight;
        is_input = true;
      }
      if (!is_input)
        return fail(ErrorKind::kUsage, "--weight " + argument + ": " + one.path + " is no input");
    }
  }
  return ok();
}

Result<void> take_rules(MergeOptions& options) {
  static const std::map<std::string, Normalization> kKinds{{"", Normalization::kNone},
                                                           {"duration", Normalization::kDuration},
                                                           {"samples", Normalization::kSamples},
                                                           {"host", Normalization::kHost}};
  options.merge.normalization = kKinds.at(options.normalization);
  LabelRules& labels = options.merge.labels;
  if (!options.kept_labels.empty())
    labels.kept.emplace(options.kept_labels.begin(), options.kept_labels.end());
  labels.dropped.insert(options.dropped_labels.begin(), options.dropped_labels.end());
  for (const std::string& argument : options.renamed_labels) {
    PGO_TRY(auto parts, split("--rename-label", argument, argument.find('=')));
    labels.renamed[parts.first] = parts.second;
  }
  for (const std::string& text : options.build_ids) {
    std::optional<BuildId> id = BuildId::from_hex(text);
    if (!id || id->bytes().size() < BuildId::kMinSize)
      return fail(ErrorKind::kUsage,
                  "--build-id " + text + ": 16 hexadecimal digits or more expected");
    options.merge.builds.push_back(*id);
  }
  return ok();
}

// Every path can be written, no two are the same, and none is read.
Result<std::vector<OutputFile>> check_outputs(const MergeOptions& options,
                                              const std::vector<InputFile>& files) {
  std::vector<OutputFile> outputs;
  for (const std::string& argument : options.outputs) {
    PGO_TRY(OutputFile output, parse_output(argument, OutputMaker::kMerge));
    for (const InputFile& file : files)
      if (!file.from_directory && is_same_file(output.path, file.path))
        return fail(ErrorKind::kUsage,
                    "-o " + output.path + " would replace " + file.path + ", which is read");
    for (const OutputFile& other : outputs)
      if (identity_of(other.path) == identity_of(output.path))
        return fail(ErrorKind::kUsage, "-o " + output.path + " would be written twice");
    if (options.json && output.path == "-")
      return fail(ErrorKind::kUsage, "-o - and --json would both be standard output");
    PGO_CHECK(AtomicFile::check_writable(output.path));
    outputs.push_back(std::move(output));
  }
  return outputs;
}

Result<std::string> render(const StackProfile& profile, OutputFormat format) {
  switch (format) {
    case OutputFormat::kPprof: return gzip(write_pprof(profile));
    case OutputFormat::kPprofPlain: return write_pprof(profile);
    case OutputFormat::kFolded: {
      PGO_TRY(StackProfile pruned, prune_frames(profile));
      return write_folded(pruned);
    }
    case OutputFormat::kGo: {
      PGO_TRY(StackProfile slim, for_go(profile));
      return gzip(write_pprof(slim));
    }
    default: return fail(ErrorKind::kInternal, "this format is not one of pgo merge");
  }
}

// All outputs are ready before the first one is replaced.
Result<void> write_all(const StackProfile& profile, const std::vector<OutputFile>& outputs) {
  std::vector<AtomicFile> written;
  for (const OutputFile& output : outputs) {
    PGO_TRY(std::string contents, render(profile, output.format));
    PGO_TRY(AtomicFile file, AtomicFile::write(output.path, contents));
    written.push_back(std::move(file));
  }
  for (AtomicFile& file : written) PGO_CHECK(file.commit());
  return ok();
}

nlohmann::json merge_json(const StackMerge& merge, const std::vector<OutputFile>& outputs) {
  nlohmann::json json = {{"inputs", merge.inputs},
                         {"samples", merge.profile.samples.size()},
                         {"duration_ns", merge.profile.duration},
                         {"totals", totals_json(merge.profile)},
                         {"builds", builds_json(merge.profile)},
                         {"warnings", warnings_json(merge.diagnostics)},
                         {"outputs", nlohmann::json::array()}};
  for (const OutputFile& output : outputs) json["outputs"].push_back(output.path);
  return json;
}

void print_merge(const StackMerge& merge) {
  print_warnings(merge.diagnostics);
  print_note(format_count(merge.inputs) + (merge.inputs == 1 ? " profile" : " profiles") + ": " +
             format_count(merge.profile.samples.size()) + " different samples");
  std::vector<StackBuild> builds = list_builds(merge.profile);
  if (builds.size() < 2) return;
  constexpr size_t kShown = 5;
  for (size_t i = 0; i < std::min(builds.size(), kShown); i++)
    print_note(describe_build(builds[i]));
  if (builds.size() > kShown)
    print_note("and " + format_count(builds.size() - kShown) + " further builds");
}

Result<ExitCode> run(MergeOptions& options) {
  // What to read, how, and where to.
  PGO_TRY(std::vector<InputFile> files, find_input_files(options.inputs));
  PGO_CHECK(take_weights(files, options));
  PGO_CHECK(take_rules(options));
  PGO_TRY(std::vector<OutputFile> outputs, check_outputs(options, files));

  // One profile, and its forms on disk.
  PGO_TRY(StackMerge merge, merge_stack_profiles(files, options.merge));
  PGO_CHECK(write_all(merge.profile, outputs));

  // What became of it all.
  print_merge(merge);
  if (options.json) std::fputs(json_text(merge_json(merge, outputs)).c_str(), stdout);
  return kExitDone;
}

}  // namespace

void declare_merge(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<MergeOptions>();
  app.add_option("INPUT", options->inputs,
                 "pprof profiles, gperftools CPU profiles and folded stacks, plain or compressed: "
                 "files, globs, directories, @LIST, or - for standard input")
      ->required();
  app.add_option(
         "-o,--output", options->outputs,
         "What to write, several times if you like:\n" + output_formats_help(OutputMaker::kMerge))
      ->required()
      ->allow_extra_args(false);
  app.add_option("--weight", options->weights,
                 "FILE=WEIGHT: count this input (file, glob or directory) so many times: 3, 0.25, "
                 "3/2")
      ->allow_extra_args(false);
  app.add_option("--normalize", options->normalization,
                 "Let inputs count alike, however long they were recorded (duration), however much "
                 "they count (samples), or so that hosts count alike (host)")
      ->check(one_of({"duration", "samples", "host"}));
  app.add_option("--host-label", options->merge.host_label,
                 "The label that names the host, for --normalize host")
      ->capture_default_str();
  app.add_option("--sample-type", options->merge.sample_types,
                 "Keep this sample type only (cpu, or cpu/nanoseconds); several times for several")
      ->allow_extra_args(false);
  app.add_option("--build-id", options->build_ids,
                 "Keep only samples of processes that ran this build")
      ->allow_extra_args(false);
  app.add_option("--keep-label", options->kept_labels, "Keep only labels with this key")
      ->allow_extra_args(false);
  app.add_option("--drop-label", options->dropped_labels,
                 "Drop labels with this key ('*': all labels)")
      ->allow_extra_args(false);
  app.add_option("--rename-label", options->renamed_labels, "OLD=NEW: the key of a label")
      ->allow_extra_args(false);
  app.add_option("-j,--jobs", options->merge.jobs, "Threads (default: all cores)")
      ->check(whole_number());
  app.add_flag("--json", options->json, "Print the figures as JSON on standard output");
  app.footer(
      "Values are added up exactly and rounded once, halves away from zero. The order of inputs\n"
      "never changes the output.\n"
      "Examples:\n"
      "  pgo merge profiles/ -o merged.pb.gz\n"
      "  pgo merge eu/ us/ --weight us/=3/2 --normalize duration -o default.pgo -o all.folded");
  app.callback([options, &exit_code] {
    Result<ExitCode> done = run(*options);
    exit_code = done ? *done : report_error(done.error());
  });
}

}  // namespace pgo
