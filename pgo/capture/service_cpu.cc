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

}  // namespace

std::vector<CpuCounter> process_counters(const std::vector<ServiceProcess>& processes) {
  std::vector<CpuCounter> counters;
  for (const ServiceProcess& process : processes)
    counters.push_back({std::to_string(process.pid) + " of " + std::to_string(process.started),
                        process.cpu, process.started});
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
    bool is_counted = false;
    for (const ServiceCgroup& cgroup : service_cgroups(text, service)) {
      const std::string name = cgroup.controllers + ":" + cgroup.path;
      auto known = counters.find(name);
      if (known == counters.end()) {
        const std::optional<double> seconds = read_cpu(cgroup, paths.cgroups);
        if (!seconds) continue;
        known = counters.emplace(name, CpuCounter{name, *seconds, process.started}).first;
      }
      known->second.oldest = std::min(known->second.oldest, process.started);
      is_counted = true;
      break;
    }
    if (!is_counted) return process_counters(processes);
  }
  std::vector<CpuCounter> found;
  for (auto& [name, counter] : counters) found.push_back(std::move(counter));
  return found;
}

double ServiceCpu::since_last_look(const std::vector<CpuCounter>& counters,
                                   const std::vector<ServiceProcess>& processes) {
  double used = 0;
  std::map<std::string, double> now;
  for (const CpuCounter& counter : counters) {
    const auto before = seconds_.find(counter.name);
    if (before != seconds_.end() && before->second <= counter.seconds)
      used += counter.seconds - before->second;
    else if (has_looked_ && counter.oldest >= newest_)
      used += counter.seconds;
    now[counter.name] = counter.seconds;
  }
  for (const ServiceProcess& process : processes) newest_ = std::max(newest_, process.started);
  has_looked_ = true;
  seconds_ = std::move(now);
  return used;
}

}  // namespace pgo
