// Starts QEMU with the plugin on a fresh directory of parts, and assembles them when it has ended.
//
// Variables for the dynamic loader (LD_PRELOAD and kin) are meant for the command: they reach it by
// QEMU's -E option and are kept from QEMU itself. The plugin does the same for what the command
// executes (plugin/guest_exec.h).
#include "pgo/record/emulate.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

#include "pgo/base/mapped_file.h"
#include "pgo/base/subprocess.h"
#include "pgo/record/foreground.h"
#include "pgo/record/plugin/program.h"
#include "pgo/record/plugin/recording_state.h"

namespace pgo {
namespace {

constexpr const char* kPluginName = "prodpgo_branch_recorder.so";
constexpr const char* kSeed = "1";  // of the random bytes that QEMU gives to programs

Failure io_failure(const std::string& path, const char* what) {
  return fail(ErrorKind::kIo, path + ": " + what + ": " + std::strerror(errno));
}

// A directory that is removed, with what is in it, when this goes out of scope.
struct PartsDirectory {
  std::string path;

  explicit PartsDirectory(std::string made) : path(std::move(made)) {}
  PartsDirectory(PartsDirectory&& other) noexcept : path(std::exchange(other.path, {})) {}
  PartsDirectory(const PartsDirectory&) = delete;
  PartsDirectory& operator=(const PartsDirectory&) = delete;
  ~PartsDirectory() {
    std::error_code ignored;
    if (!path.empty()) std::filesystem::remove_all(path, ignored);
  }
  std::string first_part() const { return path + "/part"; }
};

Result<PartsDirectory> make_parts_directory(const std::string& output) {
  std::error_code reason;
  std::string absolute = std::filesystem::absolute(output, reason).string();
  std::string path = absolute + ".parts.XXXXXX";
  if (::mkdtemp(path.data()) == nullptr)
    return io_failure(output, "cannot create a directory beside it");
  return PartsDirectory(path);
}

// Where the recording goes: `output`, or what it links to.
Result<std::string> resolve_output(const std::string& output) {
  struct stat status{};
  if (::stat(output.c_str(), &status) != 0) return output;
  if (!S_ISREG(status.st_mode))
    return fail(ErrorKind::kUsage, output + " is not a regular file: name another with -o");
  std::error_code reason;
  std::filesystem::path target = std::filesystem::canonical(output, reason);
  if (reason) return fail(ErrorKind::kIo, output + ": " + reason.message());
  return target.string();
}

Result<std::string> find_qemu(const EmulationOptions& options) {
  const std::string name = options.qemu.empty() ? "qemu-x86_64" : options.qemu;
  std::optional<std::string> found = find_program(name, options.search_path);
  if (found) return *std::move(found);
  return fail(ErrorKind::kUnsupported, name +
                                           " was not found: install QEMU's user-mode emulation "
                                           "(Debian, Ubuntu: apt-get install qemu-user)");
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
    looked += (looked.empty() ? "" : " nor ") + candidate.string();
  }
  return fail(ErrorKind::kUnsupported,
              "QEMU's branch recorder is neither " + looked + ": install ProdPGO whole");
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
                                       " is not a readable x86-64 program, and the emulate "
                                       "engine runs no other: use --engine perf");
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
    return fail(ErrorKind::kUsage, "there is no command to record: put it behind --");
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

bool is_for_loader(std::string_view variable) {
  return variable.starts_with("LD_") || variable.starts_with("GLIBC_TUNABLES=");
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
    if (!is_for_loader(variable)) {
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

Result<void> write_all(int fd, Bytes bytes, const std::string& path) {
  while (!bytes.empty()) {
    ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return io_failure(path, "cannot write");
    bytes = bytes.subspan(static_cast<size_t>(n));
  }
  return ok();
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
Result<RecordingTotals> assemble(const PartsDirectory& parts, const EmulationOptions& options,
                                 const std::string& target) {
  PGO_TRY(std::vector<MappedFile> files, open_parts(parts.first_part()));
  std::vector<Bytes> contents;
  contents.reserve(files.size());
  for (const MappedFile& file : files) contents.push_back(file.bytes());
  const std::string whole = parts.path + "/whole";
  int fd = ::open(whole.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0) return io_failure(options.output, "cannot create a file beside it");
  ByteSink sink = [&](Bytes bytes) { return write_all(fd, bytes, options.output); };
  Result<RecordingTotals> totals = assemble_parts(contents, options.command, sink);
  bool closed = ::fsync(fd) == 0;
  closed = ::close(fd) == 0 && closed;
  if (totals && (!closed || ::rename(whole.c_str(), target.c_str()) != 0))
    return io_failure(options.output, "cannot write");
  return totals;
}

}  // namespace

Result<EmulatedRun> record_emulated(const EmulationOptions& options) {
  PGO_TRY(std::string target, resolve_output(options.output));
  PGO_TRY(Guest guest, resolve_guest(options));
  PGO_TRY(std::string qemu, find_qemu(options));
  PGO_TRY(std::string plugin, find_plugin(options));
  Foreground foreground;
  PGO_TRY(PartsDirectory parts, make_parts_directory(target));
  QemuCommand command = make_qemu_command(options, qemu, plugin, guest, parts.first_part());
  PGO_TRY(int exit_status, foreground.run(command.arguments, command.environment, SIGHUP));
  if (::access(parts.first_part().c_str(), F_OK) != 0) {
    return fail(ErrorKind::kUnsupported,
                qemu + " ended with status " + std::to_string(exit_status) + " before " + plugin +
                    " could record: is it QEMU 6.0 or later, with plugins?");
  }
  PGO_TRY(RecordingTotals totals, assemble(parts, options, target));
  totals.notes.insert(totals.notes.begin(), command.notes.begin(), command.notes.end());
  return EmulatedRun{exit_status, totals};
}

}  // namespace pgo
