#include "pgo/convert/reference_tool.h"

#include <algorithm>
#include <iterator>

#include "converters/format.h"
#include "converters/llvm_sample/llvm_sample_reader.h"
#include "converters/perf_data/recording.h"
#include "pgo/base/deferred_termination.h"
#include "pgo/base/mapped_file.h"
#include "pgo/base/subprocess.h"
#include "pgo/base/temporary_directory.h"
#include "pgo/convert/source_outputs.h"

namespace pgo {
namespace {

struct Tool {
  std::string_view name;
  std::string_view program_too;  // another name of the program
  std::string_view package;
  std::string_view recording, binary, output, format;  // its options
  std::string_view debug_file, pid;                    // empty: it has no such option
  std::string_view by_line;                            // empty: it knows nothing else
  std::string_view needs;                              // a program that it runs
};

constexpr Tool kTools[] = {
    {"llvm-profgen", "llvm-profgen-22", "llvm-22", "--perfdata=", "--binary=", "--output=",
     "--format=", "--debug-binary=", "--pid=", "--use-dwarf-correlation", "perf"},
    {"create_llvm_prof", "", "autofdo", "--profile=", "--binary=", "--out=", "--format=", "", "",
     "", ""},
};

const Tool& tool_named(const std::string& name) {
  return *std::find_if(std::begin(kTools), std::end(kTools),
                       [&](const Tool& tool) { return tool.name == name; });
}

std::string_view format_name(LlvmSampleFormat format) {
  switch (format) {
    case LlvmSampleFormat::kText: return "text";
    case LlvmSampleFormat::kBinary: return "binary";
    case LlvmSampleFormat::kExtBinary: return "extbinary";
  }
  return "";
}

std::string search_path() { return search_path_from_environment() + ":" + kDebianLlvmDirectory; }

std::optional<std::string> find_tool(const Tool& tool) {
  std::optional<std::string> found = find_program(tool.name, search_path());
  if (!found && !tool.program_too.empty()) found = find_program(tool.program_too, search_path());
  return found;
}

Failure cannot(const Tool& tool, const std::string& what) {
  return fail(ErrorKind::kUsage, std::string(tool.name) + " " + what);
}

// The tools read branch stacks of recordings. What else they do not understand is theirs to say.
Result<void> check_input(const Tool& tool, const std::string& path) {
  if (path == "-") return cannot(tool, "cannot read standard input; name a file");
  Result<MappedFile> file = MappedFile::open(path);
  if (!file) return ok();
  if (detect_format(file->bytes()) != Format::kPerfData)
    return cannot(tool, "reads recordings (perf.data), and " + path +
                            " is not one; 'pgo show' says what it is");
  Result<perf_data::Recording> recording = perf_data::scan_recording(file->bytes(), path, {});
  if (!recording || recording->has_aux_data) return ok();
  if (std::any_of(recording->events.begin(), recording->events.end(),
                  [](const perf_data::EventAttr& event) { return event.has_branch_stacks(); }))
    return ok();
  bool has_lbr_call_stacks =
      std::any_of(recording->events.begin(), recording->events.end(),
                  [](const perf_data::EventAttr& event) { return event.has_lbr_call_stacks(); });
  return fail(
      ErrorKind::kUsage,
      std::string(tool.name) + " needs branch records (perf record -b), and " + path +
          (has_lbr_call_stacks ? " has LBR call stacks (perf record --call-graph lbr)"
                               : " has only PC samples"),
      "leave out \xFF{with} and \xFF{check-against}, because pgo converts PC samples itself");
}

// What the request is in the tool's words.
Result<std::vector<std::string>> translate(const Tool& tool, const ConvertRequest& request,
                                           const std::vector<InputFile>& files) {
  const perf_data::ReadOptions& read = request.read;
  if (files.size() != 1)
    return cannot(tool, "takes one recording, not " + std::to_string(files.size()));
  PGO_CHECK(check_input(tool, files[0].path));
  if (request.binaries.size() != 1) return cannot(tool, "takes one \xFF{binary}");
  if (!read.comm.empty()) return cannot(tool, "does not support \xFF{comm}");
  if (!read.events.empty()) return cannot(tool, "does not support \xFF{event}");
  if (read.time) return cannot(tool, "does not support \xFF{time}");
  std::vector<std::string> arguments{std::string(tool.recording) + files[0].path,
                                     std::string(tool.binary) + request.binaries[0]};
  if (!read.pids.empty()) {
    if (tool.pid.empty()) return cannot(tool, "does not support \xFF{pid}");
    if (read.pids.size() > 1) return cannot(tool, "takes one \xFF{pid}");
    arguments.push_back(std::string(tool.pid) + std::to_string(read.pids[0]));
  }
  if (!request.debug.files.empty()) {
    if (tool.debug_file.empty()) return cannot(tool, "does not support \xFF{debug-file}");
    if (request.debug.files.size() > 1) return cannot(tool, "takes one \xFF{debug-file}");
    arguments.push_back(std::string(tool.debug_file) + request.debug.files[0]);
  }
  if (request.count_by == CountBy::kLine && !tool.by_line.empty())
    arguments.emplace_back(tool.by_line);
  return arguments;
}

std::string advice(const std::string& words) {
  if (words.find("No relevant mmap event") != std::string::npos)
    return ": it identifies a binary by its file name only; does \xFF{binary} have the name that "
           "it ran under?";
  if (words.find("Read/skipped") != std::string::npos)
    return ": it does not support a record of this newer perf.data";
  return "";
}

}  // namespace

std::vector<std::string> ReferenceTool::names() {
  std::vector<std::string> names;
  for (const Tool& tool : kTools) names.emplace_back(tool.name);
  return names;
}

Result<ReferenceTool> ReferenceTool::find(const std::string& name, const ConvertRequest& request,
                                          const std::vector<InputFile>& files) {
  const Tool& tool = tool_named(name);
  ReferenceTool found;
  found.name_ = name;
  PGO_TRY(found.arguments_, translate(tool, request, files));
  std::optional<std::string> program = find_tool(tool);
  if (!program)
    return fail(ErrorKind::kUnsupported, name + " is neither in PATH nor in " +
                                             kDebianLlvmDirectory + ": install " +
                                             std::string(tool.package));
  if (!tool.needs.empty() && !find_program(tool.needs, search_path()))
    return fail(ErrorKind::kUnsupported, name + " runs " + std::string(tool.needs) +
                                             ", which is not in PATH: install linux-perf");
  found.program_ = *program;
  return found;
}

Result<void> ReferenceTool::check_format(LlvmSampleFormat format) const {
  if (name_ != "create_llvm_prof" || format != LlvmSampleFormat::kExtBinary) return ok();
  // Older ones, as Debian 12 has them, do not write the extensible form.
  PGO_TRY(ProcessResult help, run_subprocess({program_, "--help"}));
  if ((help.output + help.error).find("extbinary") != std::string::npos) return ok();
  return fail(ErrorKind::kUnsupported,
              program_ +
                  " cannot write extensible binary profiles; use \xFF{output} "
                  "llvm-binary:PATH or \xFF{output} llvm-text:PATH");
}

Result<std::string> ReferenceTool::run(LlvmSampleFormat format) const {
  const Tool& tool = tool_named(name_);
  DeferredTermination termination;
  PGO_TRY(TemporaryDirectory directory, TemporaryDirectory::make());
  std::string output = directory.file("profile");
  std::vector<std::string> command{program_};
  command.insert(command.end(), arguments_.begin(), arguments_.end());
  command.push_back(std::string(tool.format) + std::string(format_name(format)));
  command.push_back(std::string(tool.output) + output);
  PGO_TRY(ProcessResult finished, run_subprocess(command));
  std::string words = stderr_tail(finished);
  if (finished.exit_status != 0)
    return fail(ErrorKind::kInput, program_ + " failed (exit status " +
                                       std::to_string(finished.exit_status) + "): " + words +
                                       advice(words));
  Result<MappedFile> made = MappedFile::open(output);
  Bytes bytes = made ? made->bytes() : Bytes{};
  if (!bytes.empty()) {
    PGO_TRY(LlvmSampleFile profile, read_llvm_sample(bytes, program_ + "'s profile"));
    if (profile.profile.is_empty()) bytes = {};
  }
  if (bytes.empty())
    return fail(ErrorKind::kEmpty, program_ + " made a profile without any function: " + words);
  return std::string(as_text(bytes));
}

Result<ReferenceOutputs> convert_with(const std::string& name, const ConvertRequest& request) {
  PGO_TRY(std::vector<InputFile> files, find_input_files(request.inputs));
  PGO_TRY(ReferenceTool tool, ReferenceTool::find(name, request, files));
  for (const OutputSpec& output : request.outputs) {
    if (!is_llvm_profile(output.format))
      return fail(ErrorKind::kUsage, name + " makes LLVM profiles only",
                  "write " + output.path + " without \xFF{with}");
    PGO_CHECK(tool.check_format(llvm_form(output.format)));
  }
  std::vector<std::string> read = request.binaries;
  for (const InputFile& file : files) read.push_back(file.path);
  PGO_CHECK(check_plan(plan_files(request.outputs, BinarySet(), request.other_files), read));
  ReferenceOutputs made{tool.program(), {}};
  for (const OutputSpec& output : request.outputs) {
    PGO_TRY(std::string contents, tool.run(llvm_form(output.format)));
    made.outputs.push_back({output.path, std::move(contents)});
  }
  return made;
}

}  // namespace pgo
