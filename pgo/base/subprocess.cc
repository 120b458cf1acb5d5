#include "pgo/base/subprocess.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

extern char** environ;

namespace pgo {
namespace {

constexpr size_t kMostKept = 16u << 20;

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
  size_t kept = std::min(static_cast<size_t>(n), kMostKept - into.size());
  into.append(buffer.data(), kept);
  return n > 0;
}

void read_both(Pipe& output, Pipe& error, Finished& finished) {
  while (output.read_end >= 0 || error.read_end >= 0) {
    pollfd waiting[] = {{output.read_end, POLLIN, 0}, {error.read_end, POLLIN, 0}};
    if (::poll(waiting, 2, -1) < 0 && errno != EINTR) break;
    if (waiting[0].revents != 0 && !read_some(output.read_end, finished.output))
      Pipe::close_end(output.read_end);
    if (waiting[1].revents != 0 && !read_some(error.read_end, finished.error))
      Pipe::close_end(error.read_end);
  }
}

bool is_executable_file(const std::string& path) {
  struct stat status{};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
         ::access(path.c_str(), X_OK) == 0;
}

}  // namespace

Result<Finished> run_subprocess(const std::vector<std::string>& command) {
  auto failure = [&](int reason) {
    return fail(ErrorKind::kIo, "cannot run " + command[0] + ": " + std::strerror(reason));
  };
  Pipe output, error;
  if (output.read_end < 0 || error.read_end < 0) return failure(errno);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output.write_end, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, error.write_end, STDERR_FILENO);
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (const std::string& argument : command)
    arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  int reason =
      ::posix_spawn(&child, command[0].c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (reason != 0) return failure(reason);

  // Ours must be closed, or the streams never end.
  Pipe::close_end(output.write_end);
  Pipe::close_end(error.write_end);
  Finished finished;
  read_both(output, error, finished);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return failure(errno);
  finished.exit_status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return finished;
}

std::string last_words(const Finished& finished) {
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
  return words.empty() ? "it said nothing" : words;
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
