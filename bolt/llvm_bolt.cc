#include "bolt/llvm_bolt.h"

#include <filesystem>
#include <optional>

#include "pgo/base/atomic_file.h"
#include "pgo/base/deferred_termination.h"
#include "pgo/base/subprocess.h"

namespace pgo {
namespace {

constexpr std::string_view kBoltNames[] = {"llvm-bolt-22", "llvm-bolt"};

Result<LlvmBolt> ask(const std::string& program, const LlvmBoltSearch& search) {
  LlvmBolt tool{program, "", {}};
  PGO_TRY(tool.version, read_bolt_tool_version(program, "llvm-bolt", search.timeout));
  PGO_TRY(std::string help, ask_bolt_tool(program, "--help-hidden", search.timeout));
  tool.supported = parse_bolt_help(help);
  if (!tool.supported.has("reorder-blocks"))
    return fail(ErrorKind::kUnsupported,
                program + " --help-hidden lists no -reorder-blocks: is it llvm-bolt?");
  return tool;
}

std::optional<std::string> search_for(const LlvmBoltSearch& search) {
  std::string directories = !search.path.empty() ? search.path : search_path_from_environment();
  for (std::string_view name : kBoltNames)
    if (auto found = find_program(name, directories)) return found;
  if (!search.beside.empty()) {
    std::error_code error;
    std::filesystem::path real = std::filesystem::canonical(search.beside, error);
    if (!error)
      if (auto found = find_program("llvm-bolt", real.parent_path().string())) return found;
  }
  return search.path.empty() ? find_program("llvm-bolt", kDebianLlvmDirectory) : std::nullopt;
}

}  // namespace

Result<LlvmBolt> find_llvm_bolt(const LlvmBoltSearch& search) {
  if (!search.program.empty()) {
    PGO_TRY(std::string named, find_named_tool(search.program, "llvm-bolt"));
    return ask(named, search);
  }
  std::optional<std::string> found = search_for(search);
  if (!found)
    return fail(ErrorKind::kUnsupported,
                "llvm-bolt was not found: install bolt-22, put it into PATH, or name it with "
                "\xFF{llvm-bolt}");
  return ask(*found, search);
}

Result<BoltedBinary> run_llvm_bolt(const LlvmBolt& tool, const BoltRun& run) {
  PGO_TRY(TemporaryDirectory directory, TemporaryDirectory::make());
  std::string profile = directory.file("profile"), made = directory.file("bolted");
  PGO_CHECK(write_file_atomically(profile, run.profile));
  std::vector<std::string> command = {tool.program, run.input, "-o", made, "-data=" + profile};
  command.insert(command.end(), run.options.begin(), run.options.end());
  PGO_TRY(ProcessResult finished, run_bolt_tool(command, run.input, run.limits));
  PGO_CHECK(check_bolt_tool(finished, tool.program, run.input, run.limits.timeout));
  Result<MappedFile> file = MappedFile::open(made);
  if (!file || file->bytes().empty())
    return fail(ErrorKind::kInput, tool.program + " succeeded on " + run.input +
                                       ", but wrote no binary: " + stderr_tail(finished));
  return BoltedBinary{std::move(directory), *std::move(file),
                      parse_bolt_log(finished.output + "\n" + finished.error, "llvm-bolt")};
}

Result<BoltYaml> make_bolt_yaml(const LlvmBolt& tool, const BoltRun& run) {
  DeferredTermination termination;
  PGO_TRY(TemporaryDirectory directory, TemporaryDirectory::make());
  std::string profile = directory.file("profile"), made = directory.file("yaml");
  PGO_CHECK(write_file_atomically(profile, run.profile));
  PGO_TRY(ProcessResult finished, run_bolt_tool({tool.program, run.input, "-o", "/dev/null",
                                                 "-data=" + profile, "-w", made},
                                                run.input, run.limits));
  PGO_CHECK(check_bolt_tool(finished, tool.program, run.input, run.limits.timeout));
  const Result<MappedFile> file = MappedFile::open(made);
  if (!file)
    return fail(ErrorKind::kInput, tool.program + " succeeded on " + run.input +
                                       ", but wrote no YAML: " + stderr_tail(finished));
  return BoltYaml{std::string(as_text(file->bytes())),
                  parse_bolt_log(finished.output + "\n" + finished.error, "llvm-bolt")};
}

}  // namespace pgo
