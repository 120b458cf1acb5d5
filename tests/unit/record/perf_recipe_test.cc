// The choice of perf's event, from what machines say of themselves, and what is said when it fails.
#include "pgo/record/perf_recipe.h"

#include "pgo/record/perf_recorder.h"

#include <gtest/gtest.h>

#include <csignal>

namespace pgo::perf_recipe_test {
namespace {

std::string cpuinfo(const std::string& vendor, const std::string& flags) {
  return "processor\t: 0\nvendor_id\t: " + vendor + "\nmodel name\t: A Processor\nflags\t\t: fpu " +
         flags + " vme\nbugs\t\t:\n";
}

std::string best_event(const std::string& vendor, const std::string& flags,
                       const std::vector<std::string>& pmus) {
  return perf_recipes(parse_cpu_identity(cpuinfo(vendor, flags), pmus)).front().event;
}

TEST(CpuIdentity, ReadsVendorNameAndFlags) {
  CpuIdentity cpu =
      parse_cpu_identity(cpuinfo("AuthenticAMD", "brs hypervisor"), {"cpu", "ibs_op"});
  CpuIdentity expected;
  expected.vendor = CpuVendor::kAmd;
  expected.name = "A Processor";
  expected.has_brs = expected.is_virtual = true;
  EXPECT_EQ(cpu, expected);
}

TEST(CpuIdentity, TakesFlagsWholeAndSurvivesNothing) {
  EXPECT_FALSE(parse_cpu_identity(cpuinfo("AuthenticAMD", "ibrs brs2 xbrs"), {}).has_brs);
  EXPECT_EQ(parse_cpu_identity("", {}), CpuIdentity());
  EXPECT_EQ(parse_cpu_identity("vendor_id", {}), CpuIdentity());
  EXPECT_EQ(parse_cpu_identity("vendor_id:\nflags:", {}), CpuIdentity());
}

TEST(CpuIdentity, KnowsArmByItsImplementer) {
  EXPECT_EQ(parse_cpu_identity("CPU implementer\t: 0x41\n", {}).vendor, CpuVendor::kArm);
}

TEST(PerfRecipe, PrefersTakenBranches) {
  EXPECT_EQ(best_event("GenuineIntel", "arch_lbr", {"cpu"}),
            "cpu/event=0xc4,umask=0x20,name=br_inst_retired.near_taken/upp");
  EXPECT_EQ(best_event("GenuineIntel", "", {"cpu_atom", "cpu_core"}),
            "cpu_core/event=0xc4,umask=0x20,name=br_inst_retired.near_taken/upp");
  EXPECT_EQ(best_event("AuthenticAMD", "amd_lbr_v2", {"cpu"}),
            "cpu/event=0xc4,name=ex_ret_brn_tkn/u");
  EXPECT_EQ(best_event("AuthenticAMD", "brs", {"cpu"}), "cpu/branch-brs/u");
  EXPECT_EQ(best_event("AuthenticAMD", "", {"cpu"}), "cycles:u");
  EXPECT_EQ(best_event("ARM", "", {}), "cycles:u");
}

TEST(PerfRecipe, FallsBackToCyclesWhereTheyCanCarryBranches) {
  auto intel = perf_recipes(parse_cpu_identity(cpuinfo("GenuineIntel", ""), {"cpu"}));
  ASSERT_EQ(intel.size(), 2u);
  EXPECT_EQ(intel[1], (PerfRecipe{"cycles:u", 2'000'003, "cycles"}));
  auto zen3 = perf_recipes(parse_cpu_identity(cpuinfo("AuthenticAMD", "brs"), {"cpu"}));
  EXPECT_EQ(zen3.size(), 1u);
}

TEST(PerfCommand, RecordsTheClockByAPerfOfItsOwn) {
  PerfSetup setup{
      "perf", {"branches:u", 7, "branches"}, PerfRecipe{"cpu-clock", 11, "time", false}};
  PerfOptions options;
  options.command = {"./server", "-v"};
  options.output = "x.data";
  options.cost_output = "x.clock.data";
  using Words = std::vector<std::string>;
  EXPECT_EQ(perf_command(setup, options), (Words{"perf",
                                                 "record",
                                                 "-q",
                                                 "-e",
                                                 "branches:u",
                                                 "-j",
                                                 "any,u",
                                                 "-c",
                                                 "7",
                                                 "--buildid-mmap",
                                                 "-N",
                                                 "-o",
                                                 "x.data",
                                                 "--",
                                                 "perf",
                                                 "record",
                                                 "-q",
                                                 "-e",
                                                 "cpu-clock",
                                                 "-c",
                                                 "11",
                                                 "--buildid-mmap",
                                                 "-N",
                                                 "-o",
                                                 "x.clock.data",
                                                 "--",
                                                 "./server",
                                                 "-v"}));
  options.pids = {42, 7};
  options.command.clear();
  options.period = 5;  // of the branches
  EXPECT_EQ(perf_command(setup, options), (Words{"perf",
                                                 "record",
                                                 "-q",
                                                 "-e",
                                                 "branches:u",
                                                 "-j",
                                                 "any,u",
                                                 "-c",
                                                 "5",
                                                 "--buildid-mmap",
                                                 "-N",
                                                 "-o",
                                                 "x.data",
                                                 "--pid",
                                                 "42,7",
                                                 "--",
                                                 "perf",
                                                 "record",
                                                 "-q",
                                                 "-e",
                                                 "cpu-clock",
                                                 "-c",
                                                 "11",
                                                 "--buildid-mmap",
                                                 "-N",
                                                 "-o",
                                                 "x.clock.data",
                                                 "--pid",
                                                 "42,7"}));
  options.cost_output.clear();
  EXPECT_EQ(perf_command(setup, options).back(), "42,7");
  EXPECT_EQ(perf_command(setup, options)[12], "x.data");
  EXPECT_EQ(perf_command(setup, options).size(), 15u);
}

TEST(PerfRecipe, BecomesPerfsArguments) {
  EXPECT_EQ(perf_record_arguments("/usr/bin/perf", {"cycles:u", 7, "cycles"}, "out.perf"),
            (std::vector<std::string>{"/usr/bin/perf", "record", "-e", "cycles:u", "-j", "any,u",
                                      "-c", "7", "--buildid-mmap", "-N", "-o", "out.perf"}));
}

TEST(PerfRecipe, QuietsPerf) {
  EXPECT_EQ(perf_record_arguments("perf", {"cycles:u", 7, "cycles"}, "out", PerfOutput::kQuiet),
            (std::vector<std::string>{"perf", "record", "-q", "-e", "cycles:u", "-j", "any,u", "-c",
                                      "7", "--buildid-mmap", "-N", "-o", "out"}));
}

TEST(ProcessAccess, AnotherUsersProcessNeedsACapability) {
  const ProcessAccess other{.pid = 42, .owner = 0, .user = 1000};
  EXPECT_EQ(explain_forbidden_process(other),
            (Error{ErrorKind::kUnsupported,
                   "process 42 belongs to user 0, and user 1000 lacks CAP_PERFMON or "
                   "CAP_SYS_PTRACE",
                   "record as root or as user 0"}));
  ProcessAccess access = other;
  access.paranoid = 4;
  EXPECT_EQ(explain_forbidden_process(access)->message,
            "process 42 belongs to user 0, and user 1000 lacks CAP_PERFMON or CAP_SYS_PTRACE "
            "(kernel.perf_event_paranoid is 4, so that you cannot record even your own processes)");
  access.owner = 1000;  // its own: the trial of perf says the rest
  EXPECT_EQ(explain_forbidden_process(access), std::nullopt);
  for (bool ProcessAccess::* has :
       {&ProcessAccess::may_profile, &ProcessAccess::may_trace, &ProcessAccess::perf_has_caps}) {
    access = other;
    access.*has = true;
    EXPECT_EQ(explain_forbidden_process(access), std::nullopt);
  }
}

// Container runtimes take capabilities from root.
TEST(ProcessAccess, RootMayLackThemInAContainer) {
  EXPECT_EQ(explain_forbidden_process({.pid = 42, .owner = 1000, .user = 0}),
            (Error{ErrorKind::kUnsupported,
                   "process 42 belongs to user 1000, and user 0 lacks CAP_PERFMON or "
                   "CAP_SYS_PTRACE",
                   "run the container with --cap-add PERFMON, or record on the host"}));
}

struct FailedTrial {
  PerfTrial trial;
  PerfHost host;

  FailedTrial() {
    trial.recipe = {"cycles:u", 1, "cycles"};
    trial.exit_status = 255;
    host.cpu.vendor = CpuVendor::kIntel;
  }
  Error explain() const { return explain_failed_trial(trial, host); }
  static Error unsupported(const std::string& message, const std::string& advice) {
    return {ErrorKind::kUnsupported, "perf cannot record branches here: " + message, advice};
  }
};

TEST(PerfTrial, ExplainsAVirtualMachine) {
  FailedTrial failed;
  failed.trial.error = "Error:\ncycles:u: PMU Hardware doesn't support sampling.\n";
  failed.host.cpu.is_virtual = true;
  EXPECT_EQ(failed.explain(),
            FailedTrial::unsupported(
                "this is a virtual machine, and its hypervisor does not pass the processor's "
                "branch records on (cycles:u: cycles:u: PMU Hardware doesn't support sampling)",
                "record on a bare-metal host or a metal instance"));
}

// The clock needs no branch records, so a host that has them would not help.
TEST(PerfTrial, ExplainsAFailureOfTheClock) {
  FailedTrial failed;
  failed.trial.recipe = clock_recipe();
  failed.trial.error = "Error:\ncpu-clock: unknown event.\n";
  failed.host.cpu.is_virtual = true;
  const std::string here = "perf cannot record CPU time here: ";
  EXPECT_EQ(failed.explain(),
            (Error{ErrorKind::kUnsupported, here + "cpu-clock: cpu-clock: unknown event",
                   "'perf record -e cpu-clock -- true' shows all that perf says"}));
  failed.trial.error = "Error:\nNo permission.\n";
  failed.host.software_events = false;
  EXPECT_EQ(failed.explain(),
            (Error{ErrorKind::kUnsupported,
                   here + "perf_event_open is forbidden here, as container runtimes do by default "
                          "(cpu-clock: No permission)",
                   "run the container with --cap-add PERFMON and a seccomp profile that allows "
                   "perf_event_open, or record on the host"}));
}

// A limit of file sizes ends perf by a signal, whatever the hardware.
TEST(PerfTrial, SaysHowASilentPerfEnded) {
  FailedTrial failed;
  failed.host.cpu.is_virtual = true;
  const std::string advice = "'perf record -e cycles:u -- true' shows all that perf says";
  failed.trial.exit_status = 128 + SIGXFSZ;
  EXPECT_EQ(
      failed.explain(),
      FailedTrial::unsupported("cycles:u: perf was ended by SIGXFSZ, without a message", advice));
  failed.trial.exit_status = 255;
  failed.trial.error = "Error:\n\n";
  EXPECT_EQ(failed.explain(),
            FailedTrial::unsupported("cycles:u: perf ended with exit code 255, without a message",
                                     advice));
}

TEST(PerfTrial, ExplainsPermissions) {
  FailedTrial failed;
  failed.trial.error = "Error:\nAccess is limited.\nperf_event_paranoid setting is 4:\n";
  failed.host.paranoid = 4;
  failed.host.software_events = false;
  EXPECT_EQ(failed.explain(), FailedTrial::unsupported(
                                  "the kernel does not allow it for this user "
                                  "(kernel.perf_event_paranoid is 4) (cycles:u: Access is limited)",
                                  "set kernel.perf_event_paranoid to 2 or lower (sysctl "
                                  "kernel.perf_event_paranoid=2), or record as root"));
  failed.host.is_privileged = true;
  EXPECT_EQ(failed.explain(), FailedTrial::unsupported(
                                  "perf_event_open is forbidden here, as container runtimes do by "
                                  "default (cycles:u: Access is limited)",
                                  "run the container with --cap-add PERFMON and a seccomp "
                                  "profile that allows perf_event_open, or record on the host"));
}

TEST(PerfTrial, ExplainsWhenNothingCameOut) {
  FailedTrial failed;
  failed.trial.exit_status = 0;
  EXPECT_FALSE(failed.trial.worked());
  failed.host.cpu.vendor = CpuVendor::kAmd;
  EXPECT_EQ(failed.explain(),
            FailedTrial::unsupported(
                "AMD processors record branches from Zen 3 on (Linux 5.19 or later for Zen 3, 6.1 "
                "or later for Zen 4) (cycles:u: its recording of a program that takes many "
                "branches has no branch records)",
                "record on such a host"));
  failed.trial.branch_stacks = 1;
  EXPECT_TRUE(failed.trial.worked());
}

}  // namespace
}  // namespace pgo::perf_recipe_test
