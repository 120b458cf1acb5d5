#include "pgo/cli/terminal/surroundings.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "pgo/base/deferred_termination.h"

namespace pgo {

void survive_file_size_limit() {
  if (is_ignored(SIGXFSZ)) return;
  // A handler, since exec() resets it; a signal that is ignored would stay so in what is recorded.
  struct sigaction action{};
  action.sa_handler = [](int) {};
  ::sigemptyset(&action.sa_mask);
  ::sigaction(SIGXFSZ, &action, nullptr);
}

void reserve_standard_streams() {
  for (int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) >= 0) continue;
    // The lowest free number is the stream's, as those below it are open. The wrong direction, so
    // that its use is an error.
    int direction = stream == STDIN_FILENO ? O_WRONLY : O_RDONLY;
    if (::open("/dev/null", direction | O_CLOEXEC) < 0) return;
  }
}

}  // namespace pgo
