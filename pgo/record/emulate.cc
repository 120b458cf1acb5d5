// Starts QEMU with the plugin on a fresh directory of parts, and assembles them when it has ended.
//
// Variables for the dynamic loader (LD_PRELOAD and kin) and with QEMU's own names are meant for the
// command: they reach it by QEMU's -E option and are kept from QEMU itself. The plugin does the
// same for what the command executes (plugin/guest_exec.h).
#include "pgo/record/emulate.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

#include "pgo/base/mapped_file.h"
#include "pgo/base/subprocess.h"
#include "pgo/base/unique_fd.h"
#include "pgo/record/foreground.h"
#include "pgo/record/plugin/program.h"
#include "pgo/record/plugin/recording_state.h"
#include "pgo/record/recording_output.h"

namespace pgo {
namespace {

constexpr const char* kPluginName = "prodpgo_branch_recorder.so";
constexpr const char* kSeed = "1";  // of the random bytes that QEMU gives to programs
constexpr const char* kFirstPart = "part";

Result<std::string> find_qemu(const EmulationOptions& options) {
  const std::string name = options.qemu.empty() ? "qemu-x86_64" : options.qemu;
  std::optional<std::string> found = find_program(name, options.search_path);
  if (found) return *std::move(found);
  return fail(ErrorKind::kUnsupported, name + " was not found",
              "install QEMU's user-mode emulation (Debian, Ubuntu: apt-get install qemu-user)");
}

// The versions whose plugin interface the branch recorder speaks: before 6.2 it lacks functions,
// and 9.0 refuses what was made for its first version. One that does not say its version (a
// wrapper, say) is left to prove itself.
Result<void> check_version(const std::string& qemu) {
  using Version = std::pair<int, int>;
  constexpr Version kFirst{6, 2}, kLast{8, 2};
  PGO_TRY(ProcessResult asked, run_subprocess({qemu, "--version"}));
  Version version;
  size_t at = asked.output.find(" version ");
  if (at == std::string::npos || std::sscanf(asked.output.c_str() + at, " version %d.%d",
                                             &version.first, &version.second) != 2)
    return ok();
  if (kFirst <= version && version <= kLast) return ok();
  return fail(
      ErrorKind::kUnsupported,
      qemu + " is QEMU " + std::to_string(version.first) + "." + std::to_string(version.second) +
          ", and the branch recorder works in 6.2 to 8.2: name one of these with \xFF{qemu}, "
          "or use \xFF{engine} perf");
}

Result<std::string> find_plugin(const EmulationOptions& options) {
  std::vector<std::filesystem::path> candidates;
  std::error_code reason;
  if (!options.plugin.empty()) {
    candidates.emplace_back(options.plugin);
  } else {
    std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", reason);
    std::filesystem::path directory = self.parent_path();
    candidates.push_back(directory.parent_path() / "lib/prodpgo" / kPluginName);
    candidates.push_back(directory / "lib/prodpgo" / kPluginName);
  }
  std::string looked;
  for (const std::filesystem::path& candidate : candidates) {
    if (std::filesystem::is_regular_file(candidate, reason)) {
      return std::filesystem::absolute(candidate, reason).string();
    }
    looked += (looked.empty() ? "" : " and no ") + candidate.string();
  }
  return fail(ErrorKind::kUnsupported,
              "QEMU's branch recorder was not found: there is no " + looked,
              options.plugin.empty() ? "install ProdPGO whole" : "");
}

// The command as QEMU has to be given it.
struct Guest {
  std::string program;
  std::vector<std::string> arguments;  // argv[0] first
  std::string name;                    // what the kernel would call the process
};

Failure refuse(const std::string& program, ProgramKind kind) {
  if (kind == kForeignProgram) {
    return fail(ErrorKind::kUsage, program +
                                       " is not a readable x86-64 program, and the emulate engine "
                                       "supports no others: use \xFF{engine} perf");
  }
  if (kind == kPrivilegedProgram) {
    return fail(ErrorKind::kUsage, program +
                                       " gains privileges when executed, which it does not "
                                       "under emulation: run as its owner");
  }
  if (::access(program.c_str(), X_OK) != 0)
    return fail(ErrorKind::kUsage, program + ": cannot be executed: " + std::strerror(errno));
  return fail(ErrorKind::kUsage, program + ": is neither a program nor a script with #!");
}

Result<Guest> resolve_guest(const EmulationOptions& options) {
  if (options.command.empty() || options.command[0].empty())
    return fail(ErrorKind::kUsage, "there is no command to record: put it after --");
  const std::string& name = options.command[0];
  std::optional<std::string> found = name.find('/') == std::string::npos
                                         ? find_program(name, options.search_path)
                                         : std::optional(name);
  if (!found) return fail(ErrorKind::kUsage, name + ": was not found in PATH");

  ProgramCommand command{::strdup(found->c_str()), nullptr};
  size_t count = options.command.size();
  command.arguments = static_cast<char**>(std::calloc(count + 1, sizeof(char*)));
  for (size_t i = 0; i < count; i++) command.arguments[i] = ::strdup(options.command[i].c_str());
  ProgramKind kind = resolve_program(&command);
  Guest guest{command.path, {}, std::filesystem::path(*found).filename().string()};
  for (char** argument = command.arguments; *argument != nullptr; argument++) {
    guest.arguments.emplace_back(*argument);
    std::free(*argument);
  }
  std::free(command.arguments);
  std::free(command.path);
  if (kind != kGuestProgram) return refuse(guest.program, kind);
  return guest;
}

// QEMU splits the option at commas; a doubled comma stands for one.
std::string double_commas(std::string_view text) {
  std::string doubled;
  for (char c : text) doubled.append(c == ',' ? 2 : 1, c);
  return doubled;
}

// What to execute, and its environment.
struct QemuCommand {
  std::vector<std::string> arguments;
  std::vector<std::string> environment;
  std::vector<std::string> notes;
};

QemuCommand make_qemu_command(const EmulationOptions& options, const std::string& qemu,
                              const std::string& plugin, const Guest& guest,
                              const std::string& part) {
  QemuCommand command;
  command.arguments = {qemu,
                       "-plugin",
                       double_commas(plugin) + ",out=" + double_commas(part) + ",period=" +
                           std::to_string(options.period) + ",cpu=" + double_commas(options.cpu) +
                           ",quiet=on,comm=" + double_commas(guest.name),
                       "-seed",
                       kSeed,
                       "-cpu",
                       options.cpu};
  for (const std::string& variable : current_environment()) {
    if (!would_change_emulator(variable.c_str())) {
      command.environment.push_back(variable);
    } else if (variable.find(',') != std::string::npos) {
      command.notes.push_back(guest.program + " runs without " +
                              variable.substr(0, variable.find('=')) +
                              ": QEMU cannot pass on a comma");
    } else {
      command.arguments.insert(command.arguments.end(), {"-E", variable});
    }
  }
  command.arguments.insert(command.arguments.end(), {"-0", guest.arguments[0], guest.program});
  command.arguments.insert(command.arguments.end(), guest.arguments.begin() + 1,
                           guest.arguments.end());
  return command;
}

Result<std::vector<MappedFile>> open_parts(const std::string& first) {
  std::vector<MappedFile> files;
  PGO_TRY(MappedFile opened, MappedFile::open(first));
  if (opened.bytes().size() < kDataOffset)
    return fail(ErrorKind::kIo, first + ": QEMU did not begin a recording");
  auto state = load_le<RecordingState>(opened.bytes().data() + kStateOffset);
  files.push_back(std::move(opened));
  for (uint32_t number = 1; number < state.parts; number++) {
    std::string path = first + "." + std::to_string(number);
    // A part that could not be made has left a note.
    if (::access(path.c_str(), F_OK) != 0) continue;
    PGO_TRY(MappedFile part, MappedFile::open(path));
    if (part.bytes().size() >= kDataOffset) files.push_back(std::move(part));
  }
  return files;
}

// Writes the recording beside the parts and moves it to its place.
Result<RecordingTotals> assemble(const RecordingOutput& output, const EmulationOptions& options) {
  PGO_TRY(std::vector<MappedFile> files, open_parts(output.file(kFirstPart)));
  std::vector<Bytes> contents;
  contents.reserve(files.size());
  for (const MappedFile& file : files) contents.push_back(file.bytes());
  constexpr const char* kWhole = "whole";
  UniqueFd out(::open(output.file(kWhole).c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (out.fd < 0) return creation_failure(options.output, output.file(kWhole));
  ByteSink sink = [&](Bytes bytes) { return write_all(out.fd, as_text(bytes), options.output); };
  PGO_TRY(RecordingTotals totals, assemble_parts(contents, options.command, sink));
  if (::fsync(out.fd) != 0) return io_failure(options.output, "cannot write");
  PGO_TRY(std::string warning, output.place(kWhole));
  if (!warning.empty()) totals.notes.push_back(warning);
  return totals;
}

}  // namespace

Result<Emulator> find_emulator(const EmulationOptions& options) {
  Emulator emulator;
  PGO_TRY(emulator.qemu, find_qemu(options));
  PGO_CHECK(check_version(emulator.qemu));
  PGO_TRY(emulator.plugin, find_plugin(options));
  return emulator;
}

Result<EmulatedRun> record_emulated(const EmulationOptions& options) {
  PGO_TRY(Guest guest, resolve_guest(options));
  PGO_TRY(Emulator emulator, find_emulator(options));
  const auto& [qemu, plugin] = emulator;
  Foreground foreground;
  PGO_TRY(RecordingOutput output, RecordingOutput::prepare(options.output));
  const std::string first_part = output.file(kFirstPart);
  QemuCommand command = make_qemu_command(options, qemu, plugin, guest, first_part);
  options.starting();
  PGO_TRY(int exit_status, foreground.run(command.arguments, command.environment, SIGHUP));
  if (::access(first_part.c_str(), F_OK) != 0) {
    return fail(ErrorKind::kUnsupported,
                qemu + " ended with status " + std::to_string(exit_status) + " before " + plugin +
                    " could record: is it QEMU 6.2 to 8.2, built with plugins?");
  }
  PGO_TRY(RecordingTotals totals, assemble(output, options));
  totals.notes.insert(totals.notes.begin(), command.notes.begin(), command.notes.end());
  return EmulatedRun{exit_status, totals};
}

}  // namespace pgo
