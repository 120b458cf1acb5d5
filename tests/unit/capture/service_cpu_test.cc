// Below a /proc and a mount of cgroups made by hand.
#include "pgo/capture/service_cpu.h"

#include <gtest/gtest.h>

#include "tests/data/temporary_files.h"

namespace pgo::service_cpu_test {
namespace {

constexpr ServiceKind kUnit = ServiceKind::kUnit, kCgroup = ServiceKind::kCgroup;

class ServiceCpuTest : public test::TemporaryFiles {
 protected:
  void add(int64_t pid, uint64_t started, double cpu, const std::string& cgroup) {
    write("proc/" + std::to_string(pid) + "/cgroup", cgroup);
    processes_.push_back({pid, started, cpu});
  }
  // "NAME SECONDS OLDEST; "
  std::string counters(ServiceKind kind, const std::string& name) const {
    std::string text;
    for (const CpuCounter& one :
         cpu_counters({kind, name}, processes_, {path("proc"), path("cgroup")}))
      text +=
          one.name + " " + std::to_string(one.seconds) + " " + std::to_string(one.oldest) + "; ";
    return text;
  }

  std::vector<ServiceProcess> processes_;
};

TEST_F(ServiceCpuTest, OfAUnitIsThatOfItsCgroup) {
  add(7, 100, 1, "0::/system.slice/queryd.service/workers\n");
  add(8, 90, 2, "0::/system.slice/queryd.service\n");
  write("cgroup/system.slice/queryd.service/cpu.stat",
        "usage_usec 12500000\nuser_usec 1\nsystem_usec 2\n");
  write("cgroup/system.slice/queryd.service/workers/cpu.stat", "usage_usec 1000000\n");
  EXPECT_EQ(counters(kUnit, "queryd"), ":/system.slice/queryd.service 12.500000 90; ");
  EXPECT_EQ(counters(kCgroup, "/system.slice/queryd.service"),
            ":/system.slice/queryd.service 12.500000 90; ");
  EXPECT_EQ(counters(kCgroup, "queryd.service/"), ":/system.slice/queryd.service 12.500000 90; ");
  write("cgroup/cpu.stat", "usage_usec 99000000\n");
  EXPECT_EQ(counters(kCgroup, "/"), ": 99.000000 90; ");
}

TEST_F(ServiceCpuTest, IsInTheHierarchyOfItsControllerInVersion1) {
  add(7, 100, 1,
      "5:memory:/docker/1f2e\n4:cpu,cpuacct:/docker/1f2e\n1:name=systemd:/docker/1f2e\n");
  add(8, 90, 2,
      "5:memory:/docker/34ab\n4:cpu,cpuacct:/docker/34ab\n1:name=systemd:/docker/34ab\n0::/\n");
  write("cgroup/cpu,cpuacct/docker/1f2e/cpuacct.usage", "3000000000\n");
  write("cgroup/cpu,cpuacct/docker/34ab/cpuacct.usage", "4000000000\n");
  write("cgroup/cpu,cpuacct/docker/cpuacct.usage", "8000000000\n");
  EXPECT_EQ(counters(kCgroup, "docker"), "cpu,cpuacct:/docker 8.000000 90; ");
  processes_.pop_back();
  EXPECT_EQ(counters(kCgroup, "docker/1f2e"), "cpu,cpuacct:/docker/1f2e 3.000000 100; ");
  EXPECT_EQ(counters(kCgroup, "/sys/fs/cgroup/cpuacct/docker/1f2e"),
            "cpu,cpuacct:/docker/1f2e 3.000000 100; ");
  // Version 2 beside version 1.
  add(9, 80, 2, "4:cpu,cpuacct:/\n0::/docker/77\n");
  write("cgroup/unified/docker/77/cpu.stat", "usage_usec 500000\n");
  EXPECT_EQ(counters(kCgroup, "docker"), "7 of 100 1.000000 100; 9 of 80 2.000000 80; ");
  write("cgroup/unified/docker/cpu.stat", "usage_usec 500000\n");
  EXPECT_EQ(counters(kCgroup, "docker"),
            ":/docker 0.500000 80; cpu,cpuacct:/docker 8.000000 100; ");
}

TEST_F(ServiceCpuTest, IsThatOfTheProcessesWhereNoCgroupCountsAll) {
  add(7, 100, 1, "0::/a\n");
  add(8, 90, 2, "0::/b\n");
  const std::string processes = "7 of 100 1.000000 100; 8 of 90 2.000000 90; ";
  write("cgroup/a/cpu.stat", "usage_usec 5000000\n");
  EXPECT_EQ(counters(ServiceKind::kProgram, "a"), processes);
  EXPECT_EQ(counters(kCgroup, "/"), processes);
  for (const char* damaged : {"", "usage_usec", "usage_usec x", "usage_usec 1 2", "user_usec 1"}) {
    write("cgroup/cpu.stat", damaged);
    EXPECT_EQ(counters(kCgroup, "/"), processes) << damaged;
  }
  // Another namespace of cgroups, whose paths lead out of the mount.
  processes_.pop_back();
  write("proc/7/cgroup", "0::/../queryd.service\n");
  write("queryd.service/cpu.stat", "usage_usec 5000000\n");
  EXPECT_EQ(counters(kUnit, "queryd"), "7 of 100 1.000000 100; ");
}

TEST_F(ServiceCpuTest, CountsFromLookToLook) {
  ServiceCpu cpu;
  const std::vector<ServiceProcess> first = {{7, 100, 0}}, later = {{7, 100, 0}, {9, 200, 0}};
  EXPECT_EQ(cpu.since_last_look({{"a", 50, 100}}, first), 0);
  EXPECT_EQ(cpu.since_last_look({{"a", 53, 100}}, first), 3);
  EXPECT_EQ(cpu.since_last_look({{"a", 54, 100}, {"b", 5, 200}}, later), 6);
  // One that has older processes was moved there.
  EXPECT_EQ(cpu.since_last_look({{"a", 54, 100}, {"c", 70, 100}}, later), 0);
  // The unit was started again: its cgroup counts from 0.
  EXPECT_EQ(cpu.since_last_look({{"a", 2, 300}}, {{11, 300, 0}}), 2);
}

}  // namespace
}  // namespace pgo::service_cpu_test
