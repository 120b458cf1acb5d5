// The CPU time that a service uses, which pays for its recordings.
//
//   ServiceCpu cpu;
//   cpu.since_last_look(cpu_counters(service, processes, {}));     0 at first
//
// A cgroup counts the CPU time of all its processes, also of those that have ended: version 2 in
// cpu.stat, version 1 in cpuacct.usage. Where a service is not a cgroup, or that file cannot be
// read, each process is its own counter. What one used that ended between two looks is then not
// known.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "pgo/capture/service_processes.h"

namespace pgo {

// Of a process or a cgroup.
struct CpuCounter {
  std::string name;    // of the same counter always the same
  double seconds = 0;  // so far
  std::vector<ServiceProcess> processes;

  bool operator==(const CpuCounter&) const = default;
};

struct KernelPaths {
  std::string proc = "/proc", cgroups = "/sys/fs/cgroup";
};

// One for each process.
std::vector<CpuCounter> process_counters(const std::vector<ServiceProcess>& processes);
// One for each cgroup of the service that has processes. A process whose cgroup cannot be read
// counts by itself; one that has left the service since it was found counts nowhere.
std::vector<CpuCounter> cpu_counters(const RecordedService& service,
                                     const std::vector<ServiceProcess>& processes,
                                     const KernelPaths& paths);

class ServiceCpu {
 public:
  // For a counter that was there at an earlier look, also before the last one: what it has counted
  // since then. For a new counter: only the CPU time of its processes that started since the last
  // look, because a cgroup may have counted for months.
  double since_last_look(const std::vector<CpuCounter>& counters);

 private:
  std::map<std::string, double> seconds_;  // of counters, when they were last seen
  uint64_t newest_ = 0;                    // the latest start that was seen
  bool has_looked_ = false;
};

}  // namespace pgo
