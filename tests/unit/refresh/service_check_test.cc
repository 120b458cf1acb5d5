// check_service(): what cannot go together in a [service.NAME], and the words for it.
#include "pgo/refresh/service_check.h"

#include <gtest/gtest.h>

namespace pgo::service_check_test {
namespace {

ServiceConfig good() {
  ServiceConfig service;
  service.name = "queryd";
  service.place = "pgo.toml:3:1";
  service.binaries = {{"dir:builds", "pgo.toml:5:12"}};
  service.outputs = {ServiceOutput::kLlvm, ServiceOutput::kBolt};
  return service;
}

// The error of a service that differs from the good one.
template <typename Change>
std::string wrong(const Change& change) {
  ServiceConfig service = good();
  change(service);
  const Result<void> checked = check_service(service);
  if (checked) return "no error";
  EXPECT_EQ(checked.error().kind, ErrorKind::kUsage);
  return checked.error().message +
         (checked.error().advice.empty() ? "" : "; " + checked.error().advice);
}

using S = ServiceConfig;

TEST(ServiceCheck, TakesWhatGoesTogether) {
  EXPECT_EQ(wrong([](S&) {}), "no error");
  EXPECT_EQ(wrong([](S& s) {
              s.outputs = {ServiceOutput::kGo};
              s.binaries.clear();
            }),
            "no error");
  EXPECT_EQ(wrong([](S& s) {
              s.gates.match = 80;
              s.current_builds = {{"build/queryd", ""}};
            }),
            "no error");
  EXPECT_EQ(wrong([](S& s) {
              s.blend_previous = 2;
              s.compile_profile = CompileProfilePolicy::kRenew;
            }),
            "no error");
}

TEST(ServiceCheck, RefusesNamesThatArePaths) {
  EXPECT_EQ(wrong([](S& s) { s.name = "../queryd"; }),
            "pgo.toml:3:1: '../queryd' is not a valid service name: at most 128 letters, digits, "
            "'_', '.', '-' and '+'");
}

TEST(ServiceCheck, RefusesOutputsThatContradictEachOther) {
  const std::string twice =
      "pgo.toml:3:1: service.queryd: two outputs are for the same compiler; choose one form";
  EXPECT_EQ(wrong([](S& s) { s.outputs = {ServiceOutput::kLlvm, ServiceOutput::kLlvmText}; }),
            twice);
  EXPECT_EQ(wrong([](S& s) { s.outputs = {ServiceOutput::kGcc, ServiceOutput::kGcc13}; }), twice);
  EXPECT_EQ(wrong([](S& s) { s.binaries.clear(); }),
            "pgo.toml:3:1: service.queryd: has no binaries, which all outputs but 'go' need; add "
            "binaries = 'dir:/srv/builds', say, where 'pgo archive' keeps releases");
}

TEST(ServiceCheck, RefusesGatesThatNoRunCanCheck) {
  EXPECT_EQ(wrong([](S& s) {
              s.outputs = {ServiceOutput::kBolt};
              s.gates.overlap = 50;
            }),
            "pgo.toml:3:1: service.queryd: the gate min-overlap needs a profile for clang or GCC, "
            "and outputs names none; leave it out; min-samples limits all profiles");
  EXPECT_EQ(wrong([](S& s) {
              s.outputs = {ServiceOutput::kGcc};
              s.gates.match = 80;
            }),
            "pgo.toml:3:1: service.queryd: the gate min-match is for LLVM profiles; leave it out");
  EXPECT_EQ(wrong([](S& s) { s.gates.match = 80; }),
            "pgo.toml:3:1: service.queryd: the gate min-match needs current-build, which is not "
            "set; name the program as it is built now, with its libraries");
}

TEST(ServiceCheck, RefusesToBlendWhatIsNotRenewed) {
  EXPECT_EQ(wrong([](S& s) { s.blend_previous = 1; }),
            "pgo.toml:3:1: service.queryd: blend-previous makes a new compile profile each time, "
            "and compile-profile keeps one; write compile-profile = 'renew', or leave "
            "blend-previous out");
  EXPECT_EQ(wrong([](S& s) {
              s.outputs = {ServiceOutput::kGcc};
              s.blend_previous = 1;
            }),
            "pgo.toml:3:1: service.queryd: blend-previous is for LLVM profiles; leave it out");
}

}  // namespace
}  // namespace pgo::service_check_test
