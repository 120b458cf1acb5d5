#include "pgo/base/subprocess.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "pgo/base/deferred_termination.h"
#include "pgo/base/program_start.h"
#include "pgo/base/unique_fd.h"

namespace pgo {
namespace {

constexpr size_t kMaxKept = 16u << 20;
constexpr std::chrono::milliseconds kTimeToTidyUp(1000);
constexpr std::chrono::hours kYear(24 * 365);

// The two ends of a pipe; closed when it goes out of scope.
struct Pipe {
  int read_end = -1, write_end = -1;

  Pipe() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) == 0) read_end = ends[0], write_end = ends[1];
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close_end(read_end);
    close_end(write_end);
  }
  static void close_end(int& end) {
    if (end >= 0) ::close(end);
    end = -1;
  }
};

// Reads what is there; false at the end of the stream.
bool read_some(int fd, std::string& into) {
  std::array<char, 1 << 16> buffer;
  ssize_t n = ::read(fd, buffer.data(), buffer.size());
  if (n < 0) return errno == EINTR;
  size_t kept = std::min(static_cast<size_t>(n), kMaxKept - into.size());
  into.append(buffer.data(), kept);
  return n > 0;
}

// Reads what is in the pipe now, and nothing that is written meanwhile.
void read_rest(int fd, std::string& into) {
  int left = 0;
  if (fd < 0 || ::ioctl(fd, FIONREAD, &left) != 0) return;
  std::array<char, 1 << 16> buffer;
  while (left > 0) {
    ssize_t n = ::read(fd, buffer.data(), std::min(buffer.size(), static_cast<size_t>(left)));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;
    into.append(buffer.data(), std::min(static_cast<size_t>(n), kMaxKept - into.size()));
    left -= static_cast<int>(n);
  }
}

// Reads a program's streams until it ends, which its children that hold the streams may outlive.
class Watch {
 public:
  Watch(pid_t child, const DeferredTermination& termination, std::chrono::milliseconds timeout)
      : termination_(termination),
        end_(Clock::now() + timeout),
        child_(static_cast<int>(::syscall(SYS_pidfd_open, child, 0))) {}

  // False when its time was over first, or this process was asked to end. Error: kIo when the
  // program cannot be watched. Neither it nor a child that never pauses in writing delays this.
  Result<bool> read_until_end(Pipe& output, Pipe& error, ProcessResult& finished) {
    do {
      pollfd waiting[] = {{output.read_end, POLLIN, 0},
                          {error.read_end, POLLIN, 0},
                          {termination_.fd(), POLLIN, 0},
                          {child_.fd, POLLIN, 0}};
      int ready = ::poll(waiting, 4, milliseconds_left());
      if (ready < 0 && errno == EINTR) continue;
      if (ready < 0)
        return fail(ErrorKind::kIo, std::string("cannot watch: ") + std::strerror(errno));
      if (waiting[2].revents != 0) return false;
      if (waiting[3].revents != 0) {  // it wrote before it ended, so all of it is there
        read_rest(output.read_end, finished.output);
        read_rest(error.read_end, finished.error);
        return true;
      }
      if (waiting[0].revents != 0 && !read_some(output.read_end, finished.output))
        Pipe::close_end(output.read_end);
      if (waiting[1].revents != 0 && !read_some(error.read_end, finished.error))
        Pipe::close_end(error.read_end);
      // Without a descriptor of the process (Linux before 5.3), the end of its streams must do.
      if (child_.fd < 0 && output.read_end < 0 && error.read_end < 0) return true;
    } while (Clock::now() < end_);
    return false;
  }
  void wait_for_end(std::chrono::milliseconds timeout) const {
    pollfd waiting{child_.fd, POLLIN, 0};
    ::poll(&waiting, 1, static_cast<int>(timeout.count()));
  }

 private:
  using Clock = std::chrono::steady_clock;

  int milliseconds_left() const {
    constexpr int64_t kMax = 1'000'000'000;
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end_ - Clock::now()).count();
    return static_cast<int>(std::clamp<int64_t>(left, 0, kMax));
  }

  const DeferredTermination& termination_;
  Clock::time_point end_;
  UniqueFd child_;
};

constexpr uint64_t kRusageUnit = 1024;  // bytes of ru_maxrss

Result<void> reap(pid_t child, const std::string& program, ProcessResult& finished) {
  int status = 0;
  rusage used{};
  while (::wait4(child, &status, 0, &used) < 0)
    if (errno != EINTR)
      return fail(ErrorKind::kIo, "cannot run " + program + ": " + std::strerror(errno));
  finished.exit_status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  finished.usage.user = seconds(used.ru_utime);
  finished.usage.system = seconds(used.ru_stime);
  finished.usage.peak_memory = static_cast<uint64_t>(used.ru_maxrss) * kRusageUnit;
  return ok();
}

Result<ProcessResult> run(ProgramStart program, std::chrono::milliseconds timeout) {
  Pipe output, error;
  DeferredTermination termination;
  const auto begin = std::chrono::steady_clock::now();
  if (output.read_end < 0 || error.read_end < 0)
    return fail(ErrorKind::kIo, "cannot run " + program.command[0] + ": " + std::strerror(errno));
  program.output = output.write_end;
  program.error = error.write_end;
  PGO_TRY(pid_t child, start_program(program, termination));
  // Ours must be closed, or the streams never end.
  Pipe::close_end(output.write_end);
  Pipe::close_end(error.write_end);
  Watch watch(child, termination, timeout);
  ProcessResult finished;
  Result<bool> in_time = watch.read_until_end(output, error, finished);
  bool asked = termination.any();
  if (asked) {  // what it has lying around it may remove, if it is quick
    ::kill(-child, SIGTERM);
    watch.wait_for_end(kTimeToTidyUp);
  }
  ::kill(-child, SIGKILL);  // the process group: what it left running, or itself
  PGO_CHECK(reap(child, program.command[0], finished));
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
  finished.usage.wall = wall.count();
  if (!in_time) return fail(ErrorKind::kIo, program.command[0] + ": " + in_time.error().message);
  finished.timed_out = !*in_time;
  if (asked)
    return fail(ErrorKind::kIo, program.command[0] + " was stopped, because pgo was asked to stop");
  return finished;
}

bool is_executable_file(const std::string& path) {
  struct stat status{};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
         ::access(path.c_str(), X_OK) == 0;
}

}  // namespace

uint64_t own_peak_memory() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  return static_cast<uint64_t>(used.ru_maxrss) * kRusageUnit;
}

Result<ProcessResult> run_subprocess(const std::vector<std::string>& command) {
  return run_subprocess_within(kYear, command);
}

Result<ProcessResult> run_subprocess_within(std::chrono::milliseconds timeout,
                                            const std::vector<std::string>& command) {
  return run({command}, timeout);
}

Result<ProcessResult> run_subprocess_in(const std::vector<std::string>& environment,
                                        const std::vector<std::string>& command) {
  return run({command, environment}, kYear);
}

Result<ProcessResult> run_subprocess_with_input(std::string_view input,
                                                std::chrono::milliseconds timeout,
                                                const std::vector<std::string>& command) {
  // A file in memory, complete before the program begins: no pipe that must be filled meanwhile.
  const UniqueFd file(::memfd_create("input", MFD_CLOEXEC));
  if (file.fd < 0)
    return fail(ErrorKind::kIo, "cannot run " + command[0] + ": " + std::strerror(errno));
  PGO_CHECK(write_all(file.fd, input, "the standard input of " + command[0]));
  if (::lseek(file.fd, 0, SEEK_SET) != 0)
    return fail(ErrorKind::kIo, "cannot run " + command[0] + ": " + std::strerror(errno));
  ProgramStart program{command};
  program.input = file.fd;
  return run(std::move(program), timeout);
}

std::string stderr_tail(const ProcessResult& finished) {
  constexpr size_t kLines = 3;
  std::string_view text = finished.error.empty() ? finished.output : finished.error;
  std::string words;
  for (size_t lines = 0; lines < kLines && !text.empty();) {
    size_t start = text.rfind('\n') + 1;  // 0 when there is none
    std::string_view line = text.substr(start);
    text = text.substr(0, start == 0 ? 0 : start - 1);
    if (line.empty()) continue;
    words = std::string(line) + (words.empty() ? "" : "; ") + words;
    lines++;
  }
  return words.empty() ? "it printed nothing" : words;
}

std::optional<std::string> find_program(std::string_view name, std::string_view search_path) {
  if (name.find('/') != std::string_view::npos) {
    std::string path(name);
    return is_executable_file(path) ? std::optional(path) : std::nullopt;
  }
  while (!search_path.empty()) {
    std::string_view directory = search_path.substr(0, search_path.find(':'));
    search_path.remove_prefix(std::min(directory.size() + 1, search_path.size()));
    std::string path(directory.empty() ? "." : directory);
    path.append("/").append(name);
    if (is_executable_file(path)) return path;
  }
  return std::nullopt;
}

std::string search_path_from_environment() {
  const char* path = std::getenv("PATH");
  return path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin";
}

}  // namespace pgo
