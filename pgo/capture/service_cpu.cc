// cgroups(7) and Documentation/admin-guide/cgroup-v2.rst of the kernel have the files.
#include "pgo/capture/service_cpu.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

#include "pgo/base/proc_file.h"

namespace pgo {
namespace {

constexpr size_t kMaxCpuFile = 4096;
constexpr size_t kMostRemembered = 1000;  // counters

// The number behind `label`, which begins a line.
std::optional<double> number_behind(std::string_view text, std::string_view label) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (!line.starts_with(label)) continue;
    uint64_t value = 0;
    auto [end, error] =
        std::from_chars(line.data() + label.size(), line.data() + line.size(), value);
    if (error != std::errc() || end != line.data() + line.size()) return std::nullopt;
    return static_cast<double>(value);
  }
  return std::nullopt;
}

// Seconds; nothing where the hierarchy does not count them, or is not mounted there.
std::optional<double> read_cpu(const ServiceCgroup& cgroup, const std::string& mount) {
  // Of another namespace of cgroups: not below the mount.
  if ((cgroup.path + "/").find("/../") != std::string::npos) return std::nullopt;
  const auto read = [&](const std::string& directory, const char* file) {
    return read_proc_file(mount + directory + cgroup.path + file, kMaxCpuFile);
  };
  if (cgroup.controllers.empty()) {
    for (const char* directory : {"", "/unified"})
      if (const auto used = number_behind(read(directory, "/cpu.stat"), "usage_usec "))
        return *used / 1e6;
    return std::nullopt;
  }
  if (!has_controller(cgroup.controllers, "cpuacct")) return std::nullopt;
  for (const std::string& directory : {"/" + cgroup.controllers, std::string("/cpuacct")})
    if (const auto used = number_behind(read(directory, "/cpuacct.usage"), "")) return *used / 1e9;
  return std::nullopt;
}

CpuCounter counter_of(const ServiceProcess& process) {
  return {std::to_string(process.pid) + " of " + std::to_string(process.started),
          process.cpu,
          {process}};
}

}  // namespace

std::vector<CpuCounter> process_counters(const std::vector<ServiceProcess>& processes) {
  std::vector<CpuCounter> counters;
  for (const ServiceProcess& process : processes) counters.push_back(counter_of(process));
  return counters;
}

std::vector<CpuCounter> cpu_counters(const RecordedService& service,
                                     const std::vector<ServiceProcess>& processes,
                                     const KernelPaths& paths) {
  if (service.kind != ServiceKind::kUnit && service.kind != ServiceKind::kCgroup)
    return process_counters(processes);
  std::map<std::string, CpuCounter> counters;
  for (const ServiceProcess& process : processes) {
    const std::string text =
        read_proc_file(paths.proc + "/" + std::to_string(process.pid) + "/cgroup");
    // It has ended since it was found, or was moved.
    if (!is_in_cgroup(text, service)) continue;
    std::vector<ServiceCgroup> cgroups = service_cgroups(text, service);
    // While a process ends, it is still in that of version 2, and in no other.
    std::stable_partition(cgroups.begin(), cgroups.end(),
                          [](const ServiceCgroup& one) { return one.controllers.empty(); });
    bool is_counted = false;
    for (const ServiceCgroup& cgroup : cgroups) {
      const std::string name = cgroup.controllers + ":" + cgroup.path;
      auto known = counters.find(name);
      if (known == counters.end()) {
        const std::optional<double> seconds = read_cpu(cgroup, paths.cgroups);
        if (!seconds) continue;
        known = counters.emplace(name, CpuCounter{name, *seconds, {}}).first;
      }
      known->second.processes.push_back(process);
      is_counted = true;
      break;
    }
    if (is_counted) continue;
    CpuCounter its_own = counter_of(process);
    counters.emplace(its_own.name, its_own);
  }
  std::vector<CpuCounter> found;
  for (auto& [name, counter] : counters) found.push_back(std::move(counter));
  return found;
}

double ServiceCpu::since_last_look(const std::vector<CpuCounter>& counters) {
  double used = 0;
  uint64_t newest = newest_;
  std::map<std::string, double> now;
  for (const CpuCounter& counter : counters) {
    double of_new_processes = 0;
    for (const ServiceProcess& process : counter.processes) {
      newest = std::max(newest, process.started);
      if (process.started > newest_) of_new_processes += process.cpu;
    }
    const auto before = seconds_.find(counter.name);
    if (before != seconds_.end())
      // A cgroup that was made again counts from 0.
      used += counter.seconds - (before->second <= counter.seconds ? before->second : 0);
    else if (has_looked_)
      used += std::min(counter.seconds, of_new_processes);
    now[counter.name] = counter.seconds;
  }
  newest_ = newest;
  has_looked_ = true;
  // A cgroup without processes may get some again.
  if (seconds_.size() < kMostRemembered) now.merge(seconds_);
  seconds_ = std::move(now);
  return used;
}

}  // namespace pgo
