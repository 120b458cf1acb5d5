// proc(5) has the fields of /proc/PID/stat; cgroups(7) those of /proc/PID/cgroup.
#include "pgo/capture/service_processes.h"

#include <dirent.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <sstream>

#include "pgo/base/proc_file.h"
#include "pgo/base/unique_fd.h"

namespace pgo {
namespace {

constexpr std::string_view kCgroupMount = "/sys/fs/cgroup/";
constexpr size_t kMaxComm = 15;

// One line of /proc/PID/cgroup.
struct CgroupLine {
  std::string_view controllers;  // "memory", "cpu,cpuacct", "name=systemd"; empty: version 2
  std::string_view path;
};

std::optional<CgroupLine> parse_line(std::string_view line) {
  const size_t first = line.find(':');
  const size_t second = first == line.npos ? line.npos : line.find(':', first + 1);
  if (second == line.npos || second + 1 >= line.size()) return std::nullopt;
  return CgroupLine{line.substr(first + 1, second - first - 1), line.substr(second + 1)};
}

// Is `path` the cgroup `wanted`, which begins at the root, or one below it?
bool is_at_or_below(std::string_view path, std::string_view wanted) {
  if (wanted.empty()) return true;
  return path.starts_with(wanted) && (path.size() == wanted.size() || path[wanted.size()] == '/');
}

// The beginning of `path` that ends with `wanted`, which begins behind any slash.
std::optional<std::string_view> beginning_with(std::string_view path, std::string_view wanted) {
  for (size_t slash = path.find('/'); slash != path.npos; slash = path.find('/', slash + 1))
    if (is_at_or_below(path.substr(slash + 1), wanted))
      return path.substr(0, slash + 1 + wanted.size());
  return std::nullopt;
}

std::string_view without_end_slashes(std::string_view path) {
  while (path.ends_with('/')) path.remove_suffix(1);
  return path;
}

// The cgroup of this hierarchy that `wanted` names, if the process is in it or below.
std::optional<std::string_view> wanted_cgroup(const CgroupLine& line, std::string_view wanted) {
  const auto from_root = [&](std::string_view path) {
    return is_at_or_below(line.path, path) ? std::optional(path) : std::nullopt;
  };
  const bool is_root = wanted.starts_with('/');
  wanted = without_end_slashes(wanted);
  if (wanted.empty()) return is_root ? std::optional(wanted) : std::nullopt;
  if (!is_root) return beginning_with(line.path, wanted);
  if (!wanted.starts_with(kCgroupMount)) return from_root(wanted);
  std::string_view in_mount = wanted.substr(kCgroupMount.size() - 1);
  if (line.controllers.empty()) {
    // "unified" is where version 2 is mounted beside version 1.
    constexpr std::string_view kUnified = "/unified/";
    if (in_mount.starts_with(kUnified)) in_mount.remove_prefix(kUnified.size() - 1);
    return from_root(in_mount);
  }
  const size_t slash = in_mount.find('/', 1);
  if (slash == in_mount.npos || !has_controller(line.controllers, in_mount.substr(1, slash - 1)))
    return std::nullopt;
  return from_root(in_mount.substr(slash));
}

std::string with_unit_suffix(const std::string& name) {
  for (std::string_view suffix : {".service", ".scope", ".slice", ".timer", ".socket", ".mount"})
    if (name.ends_with(suffix)) return name;
  return name + ".service";
}

bool is_program(const std::string& directory, const std::string& name) {
  std::string comm = read_proc_file(directory + "/comm");
  if (comm.ends_with('\n')) comm.pop_back();
  if (!name.empty() && comm == name.substr(0, kMaxComm)) return true;
  std::error_code error;
  const std::string target =
      without_deleted(std::filesystem::read_symlink(directory + "/exe", error).string());
  return !error && target.substr(target.rfind('/') + 1) == name;
}

// Kernel threads have no memory of their own, and so no executable.
constexpr uint64_t kKernelThread = 0x00200000;  // PF_KTHREAD

std::optional<ServiceProcess> read_process(const std::string& directory, int64_t pid) {
  const std::string stat = read_proc_file(directory + "/stat");
  const size_t name_end = stat.rfind(')');  // the name may contain anything
  if (name_end == stat.npos) return std::nullopt;
  std::istringstream fields(stat.substr(name_end + 1));
  char state = 0;
  int64_t parent, group, session, terminal, terminal_group;
  uint64_t flags = 0, faults, user = 0, system = 0, started = 0;
  fields >> state >> parent >> group >> session >> terminal >> terminal_group >> flags;
  for (int i = 0; i < 4; i++) fields >> faults;
  fields >> user >> system;
  int64_t other;  // of children that were waited for, priority, threads, timer
  for (int i = 0; i < 6; i++) fields >> other;
  fields >> started;
  if (!fields || state == 'Z' || state == 'X' || (flags & kKernelThread) != 0) return std::nullopt;
  const double ticks_per_second = static_cast<double>(::sysconf(_SC_CLK_TCK));
  return ServiceProcess{pid, started, static_cast<double>(user + system) / ticks_per_second};
}

bool belongs_to(const std::string& directory, int64_t pid, const RecordedService& service) {
  switch (service.kind) {
    case ServiceKind::kPid: return std::to_string(pid) == service.name;
    case ServiceKind::kProgram: return is_program(directory, service.name);
    case ServiceKind::kUnit:
    case ServiceKind::kCgroup: break;
  }
  return is_in_cgroup(read_proc_file(directory + "/cgroup"), service);
}

}  // namespace

std::string service_text(const RecordedService& service) {
  switch (service.kind) {
    case ServiceKind::kUnit: return "unit " + with_unit_suffix(service.name);
    case ServiceKind::kCgroup: return "cgroup " + service.name;
    case ServiceKind::kPid: return "process " + service.name;
    case ServiceKind::kProgram: break;
  }
  return "program " + service.name;
}

std::string without_deleted(std::string path) {
  constexpr std::string_view kDeleted = " (deleted)";
  if (path.ends_with(kDeleted)) path.resize(path.size() - kDeleted.size());
  return path;
}

bool has_controller(std::string_view controllers, std::string_view wanted) {
  while (!controllers.empty()) {
    const size_t comma = std::min(controllers.find(','), controllers.size());
    std::string_view one = controllers.substr(0, comma);
    if (one.starts_with("name=")) one.remove_prefix(5);
    if (one == wanted) return true;
    controllers.remove_prefix(std::min(comma + 1, controllers.size()));
  }
  return false;
}

std::vector<ServiceCgroup> service_cgroups(std::string_view cgroups,
                                           const RecordedService& service) {
  const bool is_unit = service.kind == ServiceKind::kUnit;
  const std::string unit = is_unit ? with_unit_suffix(service.name) : "";
  std::vector<ServiceCgroup> found;
  while (!cgroups.empty()) {
    const size_t end = std::min(cgroups.find('\n'), cgroups.size());
    const std::optional<CgroupLine> line = parse_line(cgroups.substr(0, end));
    cgroups.remove_prefix(std::min(end + 1, cgroups.size()));
    if (!line) continue;
    const std::optional<std::string_view> cgroup =
        is_unit ? beginning_with(line->path, unit) : wanted_cgroup(*line, service.name);
    if (cgroup) found.push_back({std::string(line->controllers), std::string(*cgroup)});
  }
  return found;
}

bool is_in_cgroup(std::string_view cgroups, const RecordedService& service) {
  const std::vector<ServiceCgroup> found = service_cgroups(cgroups, service);
  if (service.kind != ServiceKind::kUnit) return !found.empty();
  return std::any_of(found.begin(), found.end(), [](const ServiceCgroup& one) {
    return one.controllers.empty() || one.controllers == "name=systemd";
  });
}

Result<std::vector<ServiceProcess>> find_processes(const RecordedService& service,
                                                   const std::string& proc) {
  const std::unique_ptr<DIR, int (*)(DIR*)> directory(::opendir(proc.c_str()), ::closedir);
  if (!directory) return io_failure(proc, "cannot list processes");
  std::vector<ServiceProcess> processes;
  for (;;) {
    errno = 0;
    const dirent* const entry = ::readdir(directory.get());
    if (entry == nullptr && errno != 0) return io_failure(proc, "cannot list processes");
    if (entry == nullptr) break;
    const std::string_view name(entry->d_name);
    int64_t pid = 0;
    auto [rest, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (error != std::errc() || rest != name.data() + name.size() || pid == ::getpid()) continue;
    const std::string path = proc + "/" + entry->d_name;
    if (!belongs_to(path, pid, service)) continue;
    // It may have ended meanwhile.
    if (std::optional<ServiceProcess> process = read_process(path, pid))
      processes.push_back(*process);
  }
  std::sort(processes.begin(), processes.end(),
            [](const ServiceProcess& a, const ServiceProcess& b) { return a.pid < b.pid; });
  return processes;
}

}  // namespace pgo
