// pgo merge: profiles of many hosts, or of many minutes, into one: profiles of stacks, address
// profiles, or LLVM sample profiles. The order of inputs and the number of threads never change a
// byte of the output.

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "pgo/base/atomic_file.h"
#include "pgo/cli/command.h"
#include "pgo/cli/description.h"
#include "pgo/cli/funnel.h"
#include "pgo/cli/input_files.h"
#include "pgo/cli/json_text.h"
#include "pgo/cli/merge_kinds.h"
#include "pgo/cli/messages.h"
#include "pgo/cli/option_checks.h"
#include "pgo/cli/output_file.h"
#include "pgo/cli/output_paths.h"
#include "pgo/cli/product.h"

namespace pgo {
namespace {

// The command line; `merge` is what becomes of it.
struct MergeArguments {
  std::vector<std::string> inputs, outputs;
  std::vector<std::string> weights;  // FILE=WEIGHT
  std::string normalization, host_label;
  std::vector<std::string> kept_labels, dropped_labels, renamed_labels;
  std::vector<std::string> build_ids;
  bool json = false;
  MergeOptions merge;
};

// "name=value", at the last or the first '='.
Result<std::pair<std::string, std::string>> split(const char* option, const std::string& text,
                                                  size_t equals) {
  if (equals != std::string::npos && equals > 0)
    return std::pair(text.substr(0, equals), text.substr(equals + 1));
  return fail(ErrorKind::kUsage, std::string(option) + " " + text + ": '=' expected, as in " +
                                     (std::string(option) == "--weight" ? "FILE=3/2" : "OLD=NEW"));
}

// What --weight names are inputs: files, globs or directories. Of two weights for one file nobody
// knows which is meant.
Result<void> take_weights(const std::vector<InputFile>& files, MergeArguments& options) {
  if (options.weights.empty()) return ok();
  std::multimap<std::string, const InputFile*> by_identity;
  for (const InputFile& file : files) by_identity.emplace(identity_of(file.path), &file);
  std::map<std::string, const std::string*> given;  // by path: the argument
  for (const std::string& argument : options.weights) {
    PGO_TRY(auto parts, split("--weight", argument, argument.rfind('=')));
    PGO_TRY(Weight weight, parse_weight(parts.second));
    PGO_TRY(std::vector<InputFile> named, find_input_files({parts.first}));
    for (const InputFile& one : named) {
      auto [first, last] = by_identity.equal_range(identity_of(one.path));
      if (first == last)
        return fail(ErrorKind::kUsage, "--weight " + argument + ": " + one.path + " is no input");
      for (; first != last; ++first) {
        const std::string& path = first->second->path;
        if (given.emplace(path, &argument).first->second != &argument)
          return fail(ErrorKind::kUsage, "--weight " + argument + ": " + one.path +
                                             " has a weight already, by --weight " + *given[path]);
        options.merge.weights[path] = weight;
      }
    }
  }
  return ok();
}

Result<void> take_rules(MergeArguments& options) {
  static const std::map<std::string, Normalization> kKinds{{"", Normalization::kNone},
                                                           {"duration", Normalization::kDuration},
                                                           {"samples", Normalization::kSamples},
                                                           {"host", Normalization::kHost}};
  options.merge.normalization = kKinds.at(options.normalization);
  if (!options.host_label.empty()) options.merge.host_label = options.host_label;
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
Result<std::vector<OutputFile>> check_outputs(const MergeArguments& options,
                                              const std::vector<InputFile>& files) {
  std::vector<OutputFile> outputs;
  for (const std::string& argument : options.outputs) {
    PGO_TRY(OutputFile output, parse_output(argument, OutputMaker::kMerge));
    PGO_CHECK(refuse_terminal(output));
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

// A kind of profiles, by what it is written as, and the options that say nothing to it.
struct Kind {
  const char* name;
  bool (*is)(const OutputFile& output);
  Result<MergeResult> (*merge)(const std::vector<InputFile>& files, const MergeOptions& options,
                               const std::vector<OutputFile>& outputs);
  bool has_stacks;  // labels and sample types
  bool has_builds;
  bool can_be_normalized;
};

constexpr Kind kKinds[] = {
    {"address profiles", [](const OutputFile& output) { return output.is_address(); },
     merge_addresses, false, true, true},
    {"LLVM sample profiles", [](const OutputFile& output) { return output.is_llvm(); },
     merge_llvm_samples, false, false, false},
    {"profiles of stacks", [](const OutputFile&) { return true; }, merge_stacks, true, true, true},
};

// What all outputs are; one merge makes one kind.
Result<const Kind*> find_kind(const MergeArguments& options,
                              const std::vector<OutputFile>& outputs) {
  const Kind* kind = nullptr;
  for (size_t i = 0; i < outputs.size(); i++) {
    const Kind* one = std::find_if(std::begin(kKinds), std::end(kKinds),
                                   [&](const Kind& k) { return k.is(outputs[i]); });
    if (kind != nullptr && one != kind)
      return fail(ErrorKind::kUsage, "-o " + outputs[0].path + " is of " + kind->name + ", -o " +
                                         outputs[i].path + " of " + one->name +
                                         ": they are merged from different inputs");
    kind = one;
  }
  auto refuse = [&](const char* option, bool is_given, bool is_of_use) -> Result<void> {
    if (!is_given || is_of_use) return ok();
    return fail(ErrorKind::kUsage, std::string(option) + " says nothing to " + kind->name);
  };
  PGO_CHECK(refuse("--normalize", !options.normalization.empty(), kind->can_be_normalized));
  if (!options.host_label.empty() && options.merge.normalization != Normalization::kHost)
    return fail(ErrorKind::kUsage, "--host-label " + options.host_label +
                                       " is for --normalize host, which was not given");
  PGO_CHECK(refuse("--build-id", !options.build_ids.empty(), kind->has_builds));
  PGO_CHECK(refuse("--sample-type", !options.merge.sample_types.empty(), kind->has_stacks));
  PGO_CHECK(refuse("--keep-label", !options.kept_labels.empty(), kind->has_stacks));
  PGO_CHECK(refuse("--drop-label", !options.dropped_labels.empty(), kind->has_stacks));
  PGO_CHECK(refuse("--rename-label", !options.renamed_labels.empty(), kind->has_stacks));
  return kind;
}

Result<ExitCode> run(MergeArguments& options) {
  // What to read, how, and where to.
  PGO_TRY(std::vector<InputFile> files, find_input_files(options.inputs));
  PGO_CHECK(take_weights(files, options));
  PGO_CHECK(take_rules(options));
  PGO_TRY(std::vector<OutputFile> outputs, check_outputs(options, files));
  PGO_TRY(const Kind* kind, find_kind(options, outputs));
  std::vector<std::string> written;
  for (const OutputFile& output : outputs) written.push_back(output.path);
  Diagnostics diagnostics;
  PGO_CHECK(leave_out_outputs(written, files, diagnostics));

  // One profile, and its forms on disk.
  PGO_TRY(MergeResult result, kind->merge(files, options.merge, outputs));
  std::vector<Product> products;
  for (size_t i = 0; i < outputs.size(); i++)
    products.push_back({outputs[i].path, std::move(result.contents[i]), nullptr});
  PGO_CHECK(write_products(products));

  // What became of it all.
  result.diagnostics.add(diagnostics);
  result.json["warnings"] = warnings_json(result.diagnostics);
  print_warnings(result.diagnostics);
  for (const std::string& note : result.notes) print_note(note);
  for (const OutputFile& output : outputs) result.json["outputs"].push_back(output.path);
  if (options.json) std::fputs(json_text(result.json).c_str(), stdout);
  return kExitDone;
}

}  // namespace

void declare_merge(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<MergeArguments>();
  app.add_option(
         "INPUT", options->inputs,
         "Profiles of one kind: of stacks (pprof, gperftools, folded), by address (.addr), or "
         "LLVM sample profiles:\n"
         "files, globs, directories, @LIST, or - for standard input")
      ->required();
  app.add_option(
         "-o,--output", options->outputs,
         "What to write, several times if you like:\n" + output_formats_help(OutputMaker::kMerge))
      ->required()
      ->allow_extra_args(false);
  app.add_option("--weight", options->weights,
                 "FILE=WEIGHT: count this input (file, glob or directory) and its samples so many "
                 "times: 3, 0.25, "
                 "3/2")
      ->allow_extra_args(false);
  app.add_option("--normalize", options->normalization,
                 "Let inputs count alike, however long they were recorded (duration), however much "
                 "they count (samples), or so that hosts count alike (host)")
      ->check(one_of({"duration", "samples", "host"}));
  app.add_option("--host-label", options->host_label,
                 "The label that names the host, for --normalize host")
      ->default_str(options->merge.host_label);
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
      "What is written decides what is read. 'pgo convert' makes of pprof and of address profiles\n"
      "what compilers and BOLT take; .prof is for clang, default.pgo for Go. Values are added up\n"
      "exactly and rounded once, halves away from zero, in any order to the same output.\n"
      "Examples:\n"
      "  pgo merge profiles/ -o merged.pb.gz\n"
      "  pgo convert merged.pb.gz --binary ./server -o server.prof\n"
      "  pgo merge eu/ us/ --weight us/=3/2 --normalize duration -o default.pgo -o all.folded\n"
      "  pgo merge hosts/*.addr -o fleet.addr");
  app.callback([options, &exit_code] {
    Result<ExitCode> done = run(*options);
    exit_code = done ? *done : report_error(done.error());
  });
}

}  // namespace pgo
