// Reads /proc/PID/stat of all processes, and follows parents (proc(5) has the fields).
#include "pgo/base/process_tree.h"

#include <dirent.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string>
#include <thread>

#include "pgo/base/proc_file.h"

namespace pgo {
namespace {

constexpr std::chrono::milliseconds kStep(20);  // between looks at processes that are to end
constexpr std::chrono::seconds kTimeToDie(10);  // after SIGKILL; longer means a hung file system

double per_tick() { return 1.0 / static_cast<double>(::sysconf(_SC_CLK_TCK)); }

// CPU time of a process with all its threads, also those that have ended. -1 when it has none.
double cpu_clock(pid_t pid) {
  clockid_t clock;
  timespec time{};
  if (::clock_getcpuclockid(pid, &clock) != 0 || ::clock_gettime(clock, &time) != 0) return -1;
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

std::string read_proc(pid_t pid, const char* name) {
  return read_proc_file("/proc/" + std::to_string(pid) + "/" + name);
}

uint64_t peak_memory_of(pid_t pid) {
  constexpr const char* kLabel = "VmHWM:";
  const std::string status = read_proc(pid, "status");
  const size_t at = status.find(kLabel);
  if (at == std::string::npos) return 0;
  return 1024 *
         std::strtoull(status.c_str() + at + std::char_traits<char>::length(kLabel), nullptr, 10);
}

std::vector<pid_t> all_pids() {
  std::vector<pid_t> pids;
  DIR* directory = ::opendir("/proc");
  if (directory == nullptr) return pids;
  while (const dirent* entry = ::readdir(directory)) {
    pid_t pid = 0;
    const char* end = entry->d_name + std::char_traits<char>::length(entry->d_name);
    auto [rest, error] = std::from_chars(entry->d_name, end, pid);
    if (error == std::errc() && rest == end) pids.push_back(pid);
  }
  ::closedir(directory);
  return pids;
}

}  // namespace

struct ProcessTree::Process {
  pid_t pid = 0, parent = 0;
  char state = 0;
  uint64_t user = 0, system = 0;                    // ticks
  uint64_t children_user = 0, children_system = 0;  // of children that were waited for
  int64_t threads = 0;

  // A process whose first thread has ended looks like a zombie while its other threads run.
  bool is_alive() const { return (state != 'Z' && state != 'X') || threads > 1; }

  // False when the process is gone.
  static bool read(pid_t pid, Process& process) {
    const std::string stat = read_proc(pid, "stat");
    const size_t name_end = stat.rfind(')');  // the name may contain anything
    if (name_end == std::string::npos) return false;
    std::istringstream fields(stat.substr(name_end + 1));
    process.pid = pid;
    fields >> process.state >> process.parent;
    std::string skipped;
    for (int field = 5; field <= 13; field++) fields >> skipped;
    fields >> process.user >> process.system >> process.children_user >> process.children_system;
    fields >> skipped >> skipped >> process.threads;  // 18 and 19 are priorities
    return !fields.fail();
  }
};

ProcessTree::ProcessTree() {
  for (const Process& process : processes())
    if (process.parent == ::getpid()) others_.push_back(process.pid);
  ::prctl(PR_GET_CHILD_SUBREAPER, &was_subreaper_);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
}

ProcessTree::~ProcessTree() {
  end_all();
  ::prctl(PR_SET_CHILD_SUBREAPER, was_subreaper_);
}

// Descendants of this process, except the children that existed before and theirs.
std::vector<ProcessTree::Process> ProcessTree::processes() const {
  std::vector<Process> all, found;
  for (pid_t pid : all_pids()) {
    Process process;
    if (Process::read(pid, process)) all.push_back(process);
  }
  std::vector<pid_t> parents = {::getpid()};
  while (!parents.empty()) {
    const pid_t parent = parents.back();
    parents.pop_back();
    for (Process& process : all) {
      if (process.parent != parent) continue;
      if (std::find(others_.begin(), others_.end(), process.pid) != others_.end()) continue;
      found.push_back(process);
      parents.push_back(process.pid);
      process.parent = 0;  // found: /proc changes while it is read, so parents may form a circle
    }
  }
  return found;
}

// A process that starts another and ends while /proc is read may hide both: the other was not there
// when processes were listed, and this one is gone when it is looked at. Then a second look finds
// the other.
bool ProcessTree::any_alive() const {
  for (int look = 0; look < 2; look++) {
    const std::vector<Process> found = processes();
    if (std::any_of(found.begin(), found.end(),
                    [](const Process& process) { return process.is_alive(); }))
      return true;
  }
  return false;
}

ProcessTimes ProcessTree::times() const {
  ProcessTimes times;
  for (const Process& process : processes()) {
    const double own = static_cast<double>(process.user + process.system) * per_tick();
    const double waited_for =
        static_cast<double>(process.children_user + process.children_system) * per_tick();
    const double clock = process.is_alive() ? cpu_clock(process.pid) : -1;
    times.cpu += (clock < 0 ? own : clock) + waited_for;
    times.user += static_cast<double>(process.user + process.children_user) * per_tick();
    times.system += static_cast<double>(process.system + process.children_system) * per_tick();
    times.peak_memory = std::max(times.peak_memory, peak_memory_of(process.pid));
  }
  return times;
}

void ProcessTree::send(int signal) const {
  for (const Process& process : processes())
    if (process.is_alive()) ::kill(process.pid, signal);
}

bool ProcessTree::wait_for_end(std::chrono::milliseconds timeout) const {
  const auto end = std::chrono::steady_clock::now() + timeout;
  while (any_alive()) {
    if (std::chrono::steady_clock::now() >= end) return false;
    std::this_thread::sleep_for(kStep);
  }
  return true;
}

void ProcessTree::end_all() {
  const auto end = std::chrono::steady_clock::now() + kTimeToDie;
  do {  // one may have started another meanwhile
    send(SIGKILL);
  } while (!wait_for_end(kStep) && std::chrono::steady_clock::now() < end);
  reap();
}

void ProcessTree::reap() const {
  for (const Process& process : processes())
    if (process.parent == ::getpid() && !process.is_alive())
      ::waitpid(process.pid, nullptr, WNOHANG);
}

}  // namespace pgo
