// Variables for the dynamic loader (LD_PRELOAD and kin) and with QEMU's own names are meant for the
// command: they reach it by QEMU's -E option and are kept from QEMU itself. The plugins do the same
// for what the command executes (plugin/guest_exec.h).
#include "pgo/record/emulator.h"

#include <cstdio>
#include <optional>
#include <string_view>
#include <utility>

#include "pgo/base/program_start.h"
#include "pgo/base/subprocess.h"
#include "pgo/record/installed_library.h"
#include "pgo/record/program_file.h"

namespace pgo {
namespace {

constexpr const char* kSeed = "1";  // of the random bytes that QEMU gives to programs

const char* file_name_of(EmulatorPlugin plugin) {
  return plugin == EmulatorPlugin::kBranchRecorder ? "prodpgo_branch_recorder.so"
                                                   : "prodpgo_event_counter.so";
}

Result<std::string> find_qemu(const EmulatorOptions& options) {
  const std::string name = options.qemu.empty() ? "qemu-x86_64" : options.qemu;
  std::optional<std::string> found = find_program(name, options.search_path);
  if (found) return *std::move(found);
  return fail(ErrorKind::kUnsupported, name + " was not found",
              "install QEMU's user-mode emulation (Debian, Ubuntu: apt-get install qemu-user)");
}

// The versions whose plugin interface the plugins speak: before 6.2 it lacks functions,
// and 9.0 refuses what was made for its first version. One that does not say its version (a
// wrapper, say) is left to prove itself.
Result<void> check_version(const std::string& qemu, const EmulatorOptions& options) {
  using Version = std::pair<int, int>;
  constexpr Version kFirst{6, 2}, kLast{8, 2};
  PGO_TRY(ProcessResult asked, run_subprocess({qemu, "--version"}));
  Version version;
  size_t at = asked.output.find(" version ");
  if (at == std::string::npos || std::sscanf(asked.output.c_str() + at, " version %d.%d",
                                             &version.first, &version.second) != 2)
    return ok();
  if (kFirst <= version && version <= kLast) return ok();
  return fail(ErrorKind::kUnsupported,
              qemu + " is QEMU " + std::to_string(version.first) + "." +
                  std::to_string(version.second) + ", and the plugins work in 6.2 to 8.2",
              "name one of these with \xFF{qemu}" +
                  (options.otherwise.empty() ? "" : ", or " + options.otherwise));
}

Failure refuse(const std::string& program, ProgramKind kind, const std::string& otherwise) {
  if (kind == kForeignProgram)
    return fail(ErrorKind::kUsage,
                program + " is not a readable x86-64 program, and emulation supports no others",
                otherwise);
  return fail(ErrorKind::kUsage, program +
                                     " gains privileges when executed, which it does not under "
                                     "emulation: run as its owner");
}

// QEMU splits the option at commas; a doubled comma stands for one.
std::string double_commas(std::string_view text) {
  std::string doubled;
  for (char c : text) doubled.append(c == ',' ? 2 : 1, c);
  return doubled;
}

}  // namespace

Result<Emulator> find_emulator(const EmulatorOptions& options, EmulatorPlugin plugin) {
  Emulator emulator;
  PGO_TRY(emulator.qemu, find_qemu(options));
  PGO_CHECK(check_version(emulator.qemu, options));
  PGO_TRY(emulator.plugin,
          find_installed_library(file_name_of(plugin), options.plugin, "QEMU's plugin"));
  return emulator;
}

Result<EmulatedProgram> resolve_command(const std::vector<std::string>& words,
                                        const EmulatorOptions& options) {
  PGO_TRY(ProgramFile file, find_program_file(words, options.search_path));
  if (file.kind != kGuestProgram) return refuse(file.path, file.kind, options.otherwise);
  return EmulatedProgram{file.path, file.arguments, file.name};
}

EmulatorCommand emulator_command(const Emulator& emulator, const EmulatedProgram& program,
                                 const EmulatorOptions& options, const PluginArguments& plugin) {
  EmulatorCommand command;
  command.arguments = {emulator.qemu,
                       "-plugin",
                       double_commas(emulator.plugin) + ",out=" + double_commas(plugin.output) +
                           (plugin.more.empty() ? "" : "," + plugin.more) +
                           ",cpu=" + double_commas(options.cpu) +
                           ",quiet=on,comm=" + double_commas(program.name),
                       "-seed",
                       kSeed,
                       "-cpu",
                       options.cpu};
  for (const std::string& variable : current_environment()) {
    if (!would_change_emulator(variable.c_str())) {
      command.environment.push_back(variable);
    } else if (variable.find(',') != std::string::npos) {
      command.notes.push_back(program.path + " runs without " +
                              variable.substr(0, variable.find('=')) +
                              ": QEMU cannot pass on a comma");
    } else {
      command.arguments.insert(command.arguments.end(), {"-E", variable});
    }
  }
  command.arguments.insert(command.arguments.end(), {"-0", program.arguments[0], program.path});
  command.arguments.insert(command.arguments.end(), program.arguments.begin() + 1,
                           program.arguments.end());
  return command;
}

Failure did_not_start(const Emulator& emulator, int exit_status, const std::string& what) {
  return fail(ErrorKind::kUnsupported, emulator.qemu + " ended with status " +
                                           std::to_string(exit_status) + " before " +
                                           emulator.plugin + " could " + what +
                                           ": is it QEMU 6.2 to 8.2, built with plugins?");
}

}  // namespace pgo
