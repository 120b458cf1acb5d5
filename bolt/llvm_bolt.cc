#include "bolt/llvm_bolt.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "bolt/bolt_tool.h"
#include "pgo/base/atomic_file.h"
#include "pgo/base/end_requests.h"
#include "pgo/base/subprocess.h"

namespace pgo {
namespace {

constexpr std::string_view kNames[] = {"llvm-bolt-22", "llvm-bolt"};
constexpr std::chrono::seconds kMostForHelp{60};

Result<LlvmBolt> ask(const std::string& program, const LlvmBoltSearch& search) {
  LlvmBolt tool{program, "", {}};
  std::chrono::seconds most = std::min(search.most, kMostForHelp);
  PGO_TRY(tool.version, read_bolt_tool_version(program, "llvm-bolt", most));
  PGO_TRY(Finished help, run_subprocess_within(most, {program, "--help-hidden"}));
  tool.abilities = parse_bolt_help(help.output);
  if (!tool.abilities.has("reorder-blocks"))
    return fail(ErrorKind::kUnsupported,
                program + " --help-hidden lists no -reorder-blocks: is it llvm-bolt?");
  return tool;
}

std::optional<std::string> search_for(const LlvmBoltSearch& search) {
  std::string directories = !search.path.empty() ? search.path : search_path_from_environment();
  for (std::string_view name : kNames)
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
    std::optional<std::string> named = find_program(search.program, search_path_from_environment());
    if (!named)
      return fail(ErrorKind::kUnsupported, search.program + ": no such program; name llvm-bolt");
    return ask(*named, search);
  }
  std::optional<std::string> found = search_for(search);
  if (!found)
    return fail(ErrorKind::kUnsupported,
                "llvm-bolt was not found: install bolt-22, put it into PATH, or name it with "
                "--llvm-bolt or PRODPGO_LLVM_BOLT");
  return ask(*found, search);
}

Result<BoltedBinary> run_llvm_bolt(const LlvmBolt& tool, const BoltRun& run) {
  PGO_TRY(TemporaryDirectory directory, TemporaryDirectory::make());
  std::string profile = directory.file("profile"), made = directory.file("bolted");
  PGO_CHECK(write_file_atomically(profile, run.profile));
  std::vector<std::string> command = {tool.program, run.input, "-o", made, "-data=" + profile};
  command.insert(command.end(), run.options.begin(), run.options.end());
  PGO_TRY(Finished finished, run_subprocess_within(run.most, command));
  std::string said = finished.output + "\n" + finished.error;
  if (!run.log.empty())
    PGO_CHECK(write_file_atomically(run.log, std::string(run.said_before) + said));
  PGO_CHECK(check_bolt_tool(finished, tool.program, run.input, run.most));
  Result<MappedFile> file = MappedFile::open(made);
  if (!file || file->bytes().empty())
    return fail(ErrorKind::kInput, tool.program + " ended well on " + run.input +
                                       ", but wrote no binary: " + last_words(finished));
  return BoltedBinary{std::move(directory), *std::move(file), parse_bolt_log(said, "llvm-bolt")};
}

Result<std::string> make_bolt_yaml(const LlvmBolt& tool, const BoltRun& run) {
  EndRequests requests;
  PGO_TRY(TemporaryDirectory directory, TemporaryDirectory::make());
  std::string profile = directory.file("profile"), made = directory.file("yaml");
  PGO_CHECK(write_file_atomically(profile, run.profile));
  PGO_TRY(Finished finished,
          run_subprocess_within(run.most, {tool.program, run.input, "-o", "/dev/null",
                                           "-data=" + profile, "-w", made}));
  PGO_CHECK(check_bolt_tool(finished, tool.program, run.input, run.most));
  PGO_TRY(MappedFile file, MappedFile::open(made));
  return std::string(reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size());
}

}  // namespace pgo
