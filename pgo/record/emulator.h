// QEMU's user-mode emulation with one of the project's plugins: found, checked, and put before a
// command.
//
//   PGO_TRY(EmulatedProgram program, resolve_command({"./server", "--once"}, options));
//   PGO_TRY(Emulator emulator, find_emulator(options, EmulatorPlugin::kEventCounter));
//   EmulatorCommand command = emulator_command(emulator, program, options, {.output = counts});
//
// Only x86-64 hosts and guests, and QEMU 6.2 to 8.2.
#pragma once

#include <string>
#include <vector>

#include "pgo/base/result.h"

namespace pgo {

enum class EmulatorPlugin { kBranchRecorder, kEventCounter };

struct EmulatorOptions {
  std::string cpu = "max";       // QEMU's CPU model; "max" has AVX2
  std::string plugin = {};       // empty: ../lib/prodpgo or lib/prodpgo, seen from this executable
  std::string qemu = {};         // empty: qemu-x86_64 in `search_path`
  std::string search_path = {};  // directories separated by colons, as in PATH
  // Advice: what to do where emulation cannot ("use \xFF{engine} perf"); empty: nothing.
  std::string otherwise = {};
};

// What emulation stands on.
struct Emulator {
  std::string qemu, plugin;  // their paths
};

// Errors: kUnsupported without a QEMU of these versions or the plugin, saying what to install.
Result<Emulator> find_emulator(const EmulatorOptions& options, EmulatorPlugin plugin);

// A program that QEMU can emulate, in place of a script its interpreter.
struct EmulatedProgram {
  std::string path;
  std::vector<std::string> arguments;  // argv[0] first
  std::string name;                    // what the kernel would call the process
};

// Error: kUsage for a command that cannot be emulated.
Result<EmulatedProgram> resolve_command(const std::vector<std::string>& command,
                                        const EmulatorOptions& options);

struct PluginArguments {
  std::string output;     // the file that the plugin writes
  std::string more = {};  // "period=10007"
};

// What to execute, and its environment.
struct EmulatorCommand {
  std::vector<std::string> arguments;
  std::vector<std::string> environment;
  std::vector<std::string> notes;  // what could not be passed on
};

EmulatorCommand emulator_command(const Emulator& emulator, const EmulatedProgram& program,
                                 const EmulatorOptions& options, const PluginArguments& plugin);

// For a QEMU that ended before the plugin had made its file. `what`: "record".
Failure did_not_start(const Emulator& emulator, int exit_status, const std::string& what);

}  // namespace pgo
