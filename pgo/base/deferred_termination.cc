#include "pgo/base/deferred_termination.h"

#include <poll.h>
#include <sys/signalfd.h>

#include <algorithm>
#include <iterator>

namespace pgo {
namespace {

constexpr int kRequests[] = {SIGINT, SIGTERM, SIGHUP};

}  // namespace

DeferredTermination::DeferredTermination() {
  ::sigemptyset(&awaited_);
  for (int signal : kRequests)
    if (!is_ignored(signal)) ::sigaddset(&awaited_, signal);
  ::pthread_sigmask(SIG_BLOCK, &awaited_, &before_);
  fd_.fd = ::signalfd(-1, &awaited_, SFD_CLOEXEC | SFD_NONBLOCK);
}

DeferredTermination::~DeferredTermination() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

bool DeferredTermination::any() const {
  pollfd waiting{fd_.fd, POLLIN, 0};
  return ::poll(&waiting, 1, 0) == 1;
}

sigset_t DeferredTermination::mask_for_programs() const {
  sigset_t mask = before_;
  for (int signal : kRequests) ::sigdelset(&mask, signal);  // an outer one has blocked them
  return mask;
}

bool is_asked_to_end() {
  sigset_t pending;
  if (::sigpending(&pending) != 0) return false;
  return std::any_of(std::begin(kRequests), std::end(kRequests),
                     [&](int signal) { return ::sigismember(&pending, signal) == 1; });
}

bool is_ignored(int signal) {
  struct sigaction action{};
  return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace pgo
