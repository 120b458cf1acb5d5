// The processes of a service: those of a systemd unit, of a container's cgroup, or of a program.
//
//   PGO_TRY(std::vector<ServiceProcess> processes,
//           find_processes({ServiceKind::kUnit, "queryd.service"}, "/proc"));
//
// The kernel tells the cgroups of a process in /proc/PID/cgroup: one line for each hierarchy,
// "0::/system.slice/queryd.service" (version 2) or "4:memory:/docker/1f2e" (version 1).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pgo/base/result.h"

namespace pgo {

enum class ServiceKind : uint8_t {
  // Processes in the cgroup of this systemd unit, or below it: some directory of a path has the
  // unit's name. Without a suffix the unit is a ".service".
  kUnit,
  // Processes in this cgroup or below it. "/a/b" begins at the root of a hierarchy, also as
  // "/sys/fs/cgroup/a/b" (version 2) or "/sys/fs/cgroup/memory/a/b" (version 1: of this
  // controller);
  // "a/b" may begin anywhere.
  kCgroup,
  // Processes whose executable has this file name, or whose name (comm) is its first 15 bytes,
  // which is all that the kernel keeps of a name.
  kProgram,
  kPid,  // one process, by its number
};

struct RecordedService {
  ServiceKind kind = ServiceKind::kProgram;
  std::string name;
};

// "unit queryd.service", "process 42".
std::string service_text(const RecordedService& service);

struct ServiceProcess {
  int64_t pid = 0;
  uint64_t started = 0;  // in ticks since the machine started: the same number may come again
  double cpu = 0;        // seconds, of all its threads so far

  bool operator==(const ServiceProcess&) const = default;
};

// The kernel names a file that was removed or replaced so: "/bin/queryd (deleted)".
std::string without_deleted(std::string path);

// A cgroup of the service, in one hierarchy.
struct ServiceCgroup {
  std::string controllers;  // "memory", "cpu,cpuacct", "name=systemd"; empty: version 2
  std::string path;         // "/system.slice/queryd.service"; empty: the root
};

// Is `wanted` one of the controllers, which commas separate?
bool has_controller(std::string_view controllers, std::string_view wanted);

// Those that a process with this text of /proc/PID/cgroup is in or below, in the order of the text.
// For kUnit and kCgroup.
std::vector<ServiceCgroup> service_cgroups(std::string_view cgroups,
                                           const RecordedService& service);

// Does this text of /proc/PID/cgroup belong to the service? For kUnit and kCgroup. systemd keeps
// its units in the hierarchy of version 2, or in one that has its name.
bool is_in_cgroup(std::string_view cgroups, const RecordedService& service);

// By number. `proc` is /proc. Not found: kernel threads, processes that have ended and that wait
// for their parents, and this process. Empty when nothing runs. Error: kIo when `proc` cannot be
// read.
Result<std::vector<ServiceProcess>> find_processes(const RecordedService& service,
                                                   const std::string& proc);

}  // namespace pgo
