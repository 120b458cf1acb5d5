// Below a /proc made by hand.
#include "pgo/capture/service_processes.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "tests/data/temporary_files.h"

namespace pgo::service_processes_test {
namespace {

class ServiceProcessesTest : public test::TemporaryFiles {
 protected:
  void add(int pid, const std::string& comm, const std::string& exe, const std::string& cgroup,
           char state = 'S', unsigned flags = 0x400000) {
    const std::string proc = "proc/" + std::to_string(pid) + "/";
    write(proc + "comm", comm + "\n");
    write(proc + "cgroup", cgroup);
    // 14: user, 15: system, 22: start, in ticks
    write(proc + "stat", std::to_string(pid) + " (" + comm + ") " + state + " 1 1 1 0 -1 " +
                             std::to_string(flags) + " 10 11 12 13 150 50 7 8 20 0 3 0 " +
                             std::to_string(1000 + pid) + " 4096 1\n");
    if (!exe.empty()) std::filesystem::create_symlink(exe, path(proc + "exe"));
  }
  std::string pids(ServiceKind kind, const std::string& name) {
    Result<std::vector<ServiceProcess>> found = find_processes({kind, name}, path("proc"));
    if (!found) return text_of(found.error());
    std::string text;
    for (const ServiceProcess& process : *found)
      text += (text.empty() ? "" : " ") + std::to_string(process.pid);
    return text;
  }
};

TEST_F(ServiceProcessesTest, FindsProgramsByFileNameAndByName) {
  add(30, "queryd", "/usr/bin/queryd", "");
  add(7, "worker-1", "/usr/bin/queryd (deleted)", "");
  add(8, "queryd", "/usr/bin/python3.11", "");
  add(9, "queryd2", "/usr/bin/queryd2", "");
  add(10, "a-very-long-pro", "/opt/a-very-long-program", "");
  add(11, "odd) R (name", "/opt/odd", "");
  EXPECT_EQ(pids(ServiceKind::kProgram, "queryd"), "7 8 30");
  EXPECT_EQ(pids(ServiceKind::kProgram, "a-very-long-program"), "10");
  EXPECT_EQ(pids(ServiceKind::kProgram, "a-very-long-pro"), "10");
  EXPECT_EQ(pids(ServiceKind::kProgram, "odd) R (name"), "11");
  EXPECT_EQ(pids(ServiceKind::kProgram, "other"), "");
  EXPECT_EQ(pids(ServiceKind::kPid, "9"), "9");
}

TEST_F(ServiceProcessesTest, TellsCpuTimeAndStart) {
  add(30, "queryd", "/usr/bin/queryd", "");
  const auto found = find_processes({ServiceKind::kProgram, "queryd"}, path("proc"));
  const double second = static_cast<double>(::sysconf(_SC_CLK_TCK));
  ASSERT_TRUE(found);
  EXPECT_EQ(*found, (std::vector<ServiceProcess>{{30, 1030, 200 / second}}));
}

TEST_F(ServiceProcessesTest, LeavesOutThreadsOfTheKernelAndEndedProcesses) {
  add(5, "queryd", "", "", 'S', 0x200040);
  add(6, "queryd", "", "", 'Z');
  add(::getpid(), "queryd", "", "");
  std::filesystem::create_directories(path("proc/12"));  // has ended while it was looked at
  std::filesystem::create_directories(path("proc/12x"));
  EXPECT_EQ(pids(ServiceKind::kProgram, "queryd"), "");
}

TEST_F(ServiceProcessesTest, FindsUnits) {
  add(5, "a", "", "0::/system.slice/queryd.service\n");
  add(6, "b", "", "0::/system.slice/queryd.service/worker\n");
  add(7, "c", "", "0::/system.slice/queryd.service.d\n");
  add(8, "d", "",
      "12:memory:/system.slice/queryd.service\n1:name=systemd:/system.slice/other.service\n");
  add(9, "e", "", "12:memory:/x\n1:name=systemd:/system.slice/queryd.service\n");
  add(10, "f", "", "0::/user.slice/user-1000.slice/session-2.scope\n");
  add(11, "g", "", "0::/system.slice/system-queryd.slice/queryd@1.service\n");
  EXPECT_EQ(pids(ServiceKind::kUnit, "queryd.service"), "5 6 9");
  EXPECT_EQ(pids(ServiceKind::kUnit, "queryd"), "5 6 9");
  EXPECT_EQ(pids(ServiceKind::kUnit, "queryd@1"), "11");
  EXPECT_EQ(pids(ServiceKind::kUnit, "session-2.scope"), "10");
  EXPECT_EQ(pids(ServiceKind::kUnit, "system-queryd.slice"), "11");
}

TEST_F(ServiceProcessesTest, FindsCgroupsOfBothVersions) {
  add(5, "a", "", "0::/kubepods.slice/pod1.slice/cri-containerd-ab12.scope\n");
  add(6, "b", "", "0::/kubepods.slice/pod1.slice/cri-containerd-ab12.scope/inner\n");
  add(7, "c", "", "0::/kubepods.slice/pod1.slice/cri-containerd-ab12.scope2\n");
  add(8, "d", "", "4:cpu,cpuacct:/docker/ab12\n3:memory:/docker/cd34\n");
  add(9, "e", "", "0::/\n");
  const std::string container = "kubepods.slice/pod1.slice/cri-containerd-ab12.scope";
  for (const std::string prefix : {"/", "", "/sys/fs/cgroup/", "/sys/fs/cgroup/unified/"})
    EXPECT_EQ(pids(ServiceKind::kCgroup, prefix + container), "5 6") << prefix;
  EXPECT_EQ(pids(ServiceKind::kCgroup, "/kubepods.slice/"), "5 6 7");
  EXPECT_EQ(pids(ServiceKind::kCgroup, "cri-containerd-ab12.scope"), "5 6");
  EXPECT_EQ(pids(ServiceKind::kCgroup, "/cri-containerd-ab12.scope"), "");
  EXPECT_EQ(pids(ServiceKind::kCgroup, "/docker/ab12"), "8");
  EXPECT_EQ(pids(ServiceKind::kCgroup, "/sys/fs/cgroup/cpuacct/docker/ab12"), "8");
  EXPECT_EQ(pids(ServiceKind::kCgroup, "/sys/fs/cgroup/memory/docker/ab12"), "");
  EXPECT_EQ(pids(ServiceKind::kCgroup, "/sys/fs/cgroup/memory/docker"), "8");
}

TEST_F(ServiceProcessesTest, SaysWhatCannotBeRead) {
  EXPECT_EQ(pids(ServiceKind::kPid, "1"),
            "proc: cannot list processes: No such file or directory; ");
}

TEST_F(ServiceProcessesTest, DamagedLinesAreInNoCgroup) {
  for (const char* text : {"", "\n", ":", "0:", "0::", "no colon", "0:queryd.service", "\n\n0::\n"})
    EXPECT_FALSE(is_in_cgroup(text, {ServiceKind::kUnit, "queryd"})) << text;
  EXPECT_FALSE(is_in_cgroup("0::/a", {ServiceKind::kCgroup, ""}));
  EXPECT_TRUE(is_in_cgroup("0::/a", {ServiceKind::kCgroup, "/"}));
}

}  // namespace
}  // namespace pgo::service_processes_test
