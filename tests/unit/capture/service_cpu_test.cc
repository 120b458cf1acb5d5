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
  // "NAME SECONDS of PIDS; "
  std::string counters(ServiceKind kind, const std::string& name) const {
    std::string text;
    for (const CpuCounter& one :
         cpu_counters({kind, name}, processes_, {path("proc"), path("cgroup")})) {
      text += one.name + " " + std::to_string(one.seconds) + " of";
      for (const ServiceProcess& process : one.processes) text += " " + std::to_string(process.pid);
      text += "; ";
    }
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
  EXPECT_EQ(counters(kUnit, "queryd"), ":/system.slice/queryd.service 12.500000 of 7 8; ");
  EXPECT_EQ(counters(kCgroup, "/system.slice/queryd.service"),
            ":/system.slice/queryd.service 12.500000 of 7 8; ");
  EXPECT_EQ(counters(kCgroup, "queryd.service/"),
            ":/system.slice/queryd.service 12.500000 of 7 8; ");
  write("cgroup/cpu.stat", "usage_usec 99000000\n");
  EXPECT_EQ(counters(kCgroup, "/"), ": 99.000000 of 7 8; ");
}

TEST_F(ServiceCpuTest, IsInTheHierarchyOfItsControllerInVersion1) {
  add(7, 100, 1,
      "5:memory:/docker/1f2e\n4:cpu,cpuacct:/docker/1f2e\n1:name=systemd:/docker/1f2e\n");
  add(8, 90, 2,
      "5:memory:/docker/34ab\n4:cpu,cpuacct:/docker/34ab\n1:name=systemd:/docker/34ab\n0::/\n");
  write("cgroup/cpu,cpuacct/docker/1f2e/cpuacct.usage", "3000000000\n");
  write("cgroup/cpu,cpuacct/docker/34ab/cpuacct.usage", "4000000000\n");
  write("cgroup/cpu,cpuacct/docker/cpuacct.usage", "8000000000\n");
  EXPECT_EQ(counters(kCgroup, "docker"), "cpu,cpuacct:/docker 8.000000 of 7 8; ");
  processes_.pop_back();
  EXPECT_EQ(counters(kCgroup, "docker/1f2e"), "cpu,cpuacct:/docker/1f2e 3.000000 of 7; ");
  EXPECT_EQ(counters(kCgroup, "/sys/fs/cgroup/cpuacct/docker/1f2e"),
            "cpu,cpuacct:/docker/1f2e 3.000000 of 7; ");
  // Version 2 beside version 1.
  add(9, 80, 2, "4:cpu,cpuacct:/\n0::/docker/77\n");
  write("cgroup/unified/docker/77/cpu.stat", "usage_usec 500000\n");
  EXPECT_EQ(counters(kCgroup, "docker"),
            "9 of 80 2.000000 of 9; cpu,cpuacct:/docker 8.000000 of 7; ");
  write("cgroup/unified/docker/cpu.stat", "usage_usec 500000\n");
  EXPECT_EQ(counters(kCgroup, "docker"),
            ":/docker 0.500000 of 9; cpu,cpuacct:/docker 8.000000 of 7; ");
}

TEST_F(ServiceCpuTest, IsThatOfTheProcessesWhereNoCgroupCountsAll) {
  add(7, 100, 1, "0::/a\n");
  add(8, 90, 2, "0::/b\n");
  const std::string processes = "7 of 100 1.000000 of 7; 8 of 90 2.000000 of 8; ";
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
  EXPECT_EQ(counters(kUnit, "queryd"), "7 of 100 1.000000 of 7; ");
}

// A service that forks for each request always has such processes.
TEST_F(ServiceCpuTest, IsThatOfTheCgroupWhenAProcessHasLeftSinceItWasFound) {
  add(7, 100, 1, "4:cpu,cpuacct:/queryd\n");
  write("cgroup/cpu,cpuacct/queryd/cpuacct.usage", "300000000000\n");
  const std::string cgroup = "cpu,cpuacct:/queryd 300.000000 of 7; ";
  processes_.push_back({8, 200, 0});  // it has ended: no file
  EXPECT_EQ(counters(kCgroup, "/queryd"), cgroup);
  write("proc/8/cgroup", "");
  EXPECT_EQ(counters(kCgroup, "/queryd"), cgroup);
  // So version 1 of cgroups has it while it ends.
  write("proc/8/cgroup", "4:cpu,cpuacct:/\n");
  EXPECT_EQ(counters(kCgroup, "/queryd"), cgroup);
  processes_.erase(processes_.begin());
  EXPECT_EQ(counters(kCgroup, "/queryd"), "");
}

// Else it would be counted in both.
TEST_F(ServiceCpuTest, IsThatOfVersion2WhereBothCountTheService) {
  add(7, 100, 1, "4:cpu,cpuacct:/a.service\n1:name=systemd:/a.service\n0::/a.service\n");
  add(8, 200, 1, "4:cpu,cpuacct:/\n1:name=systemd:/\n0::/a.service\n");  // it ends
  write("cgroup/cpu,cpuacct/a.service/cpuacct.usage", "3000000000\n");
  write("cgroup/unified/a.service/cpu.stat", "usage_usec 3000000\n");
  EXPECT_EQ(counters(kUnit, "a"), ":/a.service 3.000000 of 7 8; ");
}

TEST_F(ServiceCpuTest, CountsFromLookToLook) {
  ServiceCpu cpu;
  const ServiceProcess old{7, 100, 50}, later{9, 200, 5};
  EXPECT_EQ(cpu.since_last_look({{"a", 50, {old}}}), 0);
  EXPECT_EQ(cpu.since_last_look({{"a", 53, {old}}}), 3);
  EXPECT_EQ(cpu.since_last_look({{"a", 54, {old}}, {"b", 5, {later}}}), 6);
  // One that has older processes was moved there.
  EXPECT_EQ(cpu.since_last_look({{"a", 54, {old}}, {"c", 70, {old}}}), 0);
  // The unit was started again: its cgroup counts from 0.
  EXPECT_EQ(cpu.since_last_look({{"a", 2, {{11, 300, 1}}}}), 2);
}

// A slice or the cgroup of a pod stays when its processes end.
TEST_F(ServiceCpuTest, TakesNoHistoryOfACgroupThatHadNoProcesses) {
  ServiceCpu cpu;
  const ServiceProcess old{7, 100, 9000}, job{9, 200, .25}, later_job{11, 300, .5};
  EXPECT_EQ(cpu.since_last_look({{"slice", 10'000, {old}}}), 0);
  EXPECT_EQ(cpu.since_last_look({}), 0);
  // Its first job has ended, and used a second.
  EXPECT_EQ(cpu.since_last_look({{"slice", 10'001.5, {later_job}}}), 1.5);
  EXPECT_EQ(cpu.since_last_look({{"slice", 10'003, {later_job}}}), 1.5);

  ServiceCpu without_processes_at_first;
  EXPECT_EQ(without_processes_at_first.since_last_look({}), 0);
  EXPECT_EQ(without_processes_at_first.since_last_look({{"slice", 10'000, {job, later_job}}}), .75);
  EXPECT_EQ(without_processes_at_first.since_last_look({{"slice", 10'001, {later_job}}}), 1);
}

TEST_F(ServiceCpuTest, PaysOnceWhenACgroupCannotBeReadAnyMore) {
  ServiceCpu cpu;
  const ServiceProcess one{7, 100, 1000};
  cpu.since_last_look({{"a", 1000, {one}}});
  EXPECT_EQ(cpu.since_last_look(process_counters({one})), 0);
  EXPECT_EQ(cpu.since_last_look(process_counters({{7, 100, 1001}})), 1);
}

TEST_F(ServiceCpuTest, RemembersSoManyCountersOnly) {
  ServiceCpu cpu;
  std::vector<CpuCounter> many;
  for (int i = 0; i < 1000; i++) many.push_back({std::to_string(i), 50, {{7, 100, 50}}});
  const CpuCounter first = many[0];
  cpu.since_last_look(many);
  cpu.since_last_look({});
  EXPECT_EQ(cpu.since_last_look({{first.name, 51, first.processes}}), 0);  // it was forgotten
  EXPECT_EQ(cpu.since_last_look({{first.name, 52, first.processes}}), 1);
}

}  // namespace
}  // namespace pgo::service_cpu_test
