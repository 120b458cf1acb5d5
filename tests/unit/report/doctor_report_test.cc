#include "pgo/report/doctor_report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace pgo::doctor_report_test {
namespace {

DoctorResult result() {
  DoctorResult result;
  result.machine.ok("clang", "22.1.8 (/usr/bin/clang-22) can use sample profiles");
  result.machine.ok("clang options", "-one\n  -two");
  result.machine.add({Verdict::kWarning, "perf", "perf was not found", "install it"});
  return result;
}

TEST(DoctorReport, AsText) {
  EXPECT_EQ(doctor_text(result()),
            "This machine:\n"
            "  ok       clang          22.1.8 (/usr/bin/clang-22) can use sample profiles\n"
            "  ok       clang options  -one\n"
            "                          -two\n"
            "  warning  perf           perf was not found\n"
            "                          -> install it\n"
            "\n"
            "Everything required is present; see the warnings.\n");
  EXPECT_EQ(doctor_text(DoctorResult{}), "This machine:\n\nEverything required is present.\n");
}

TEST(DoctorReport, OfABinaryThatCannotBeRead) {
  DoctorResult broken;
  broken.binaries.push_back({"./a\x1b\nb", {}});
  broken.binaries[0].findings.add(Verdict::kError, "file",
                                  Error{ErrorKind::kInput, "bad\nname", ""});
  broken.binaries[0].findings.add({Verdict::kMissing, "symbols", "none", "keep them"});
  EXPECT_EQ(doctor_text(broken),
            "./a??b:\n"
            "  error    file           bad?name\n"
            "  missing  symbols        none\n"
            "                          -> keep them\n"
            "\n"
            "This machine has everything that is required ('pgo doctor' lists it).\n"
            "\n"
            "Something required is missing.\n"
            "\n"
            "Some checks could not be done.\n");
}

TEST(DoctorReport, TheBinaryComesFirstAndOfTheMachineWhatIsWrong) {
  DoctorResult of_binary = result();
  of_binary.binaries.push_back({"server", {}});
  of_binary.binaries[0].findings.ok("symbols", "3 functions");
  EXPECT_EQ(doctor_text(of_binary),
            "server:\n"
            "  ok       symbols        3 functions\n"
            "\n"
            "This machine (problems only):\n"
            "  warning  perf           perf was not found\n"
            "                          -> install it\n"
            "\n"
            "Everything required is present; see the warnings.\n");
  // JSON keeps all of it.
  EXPECT_EQ(doctor_json(of_binary)["machine"].size(), 3u);
}

TEST(DoctorReport, AsJson) {
  nlohmann::json json = doctor_json(result());
  EXPECT_EQ(json["ready"], true);
  EXPECT_EQ(json["binaries"], nlohmann::json::array());
  EXPECT_EQ(json["machine"][2], (nlohmann::json{{"verdict", "warning"},
                                                {"topic", "perf"},
                                                {"text", "perf was not found"},
                                                {"advice", "install it"}}));
}

}  // namespace
}  // namespace pgo::doctor_report_test
