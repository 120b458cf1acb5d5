#include "pgo/report/diff_report.h"

#include <gtest/gtest.h>

#include "tests/data/temporary_files.h"

namespace pgo::diff_report_test {
namespace {

class DiffReport : public test::TemporaryFiles {};

TEST_F(DiffReport, SaysWhyProfilesAreLeftOut) {
  auto reasons_of = [&](const DiffRequest& compared) {
    Result<DiffResult> result = diff(compared);
    EXPECT_TRUE(result) << result.error().message;
    std::string text;
    for (const Message& message : diff_messages(*result))
      if (message.text.find("is left out") != std::string::npos)
        text += relative(message.text) + "\n";
    return text;
  };
  // Endpoints by path: one host serves only what the other side does not have.
  for (const char* host : {"1", "2", "3", "4"})
    for (const char* side : {"x", "y"})
      write(std::string(side) + "/get/" + host + ".folded", "f 1000\n");
  write("y/new/5.folded", "f 100\n");
  DiffRequest mixed;
  mixed.sides = {{{path("x")}, {path("y")}}};
  mixed.path_template = "{endpoint}/{host}.folded";
  mixed.standardize = "endpoint";
  EXPECT_EQ(reasons_of(mixed),
            "endpoint new is left out: only the after side has it (2.4 % of its samples)\n"
            "y/new/5.folded: is left out: it has only values of the label 'endpoint' that the "
            "other side does not have\n");
  // Pairs by hour.
  for (const char* host : {"1", "2", "3", "4"}) {
    write(std::string("p/8/") + host + ".folded", "f 1000\n");
    write(std::string("q/8/") + host + ".folded", "f 1000\n");
  }
  write("q/9/1.folded", "f 100\n");
  DiffRequest hours;
  hours.sides = {{{path("p")}, {path("q")}}};
  hours.path_template = "{hour}/{host}.folded";
  EXPECT_EQ(reasons_of(hours),
            "q/9/1.folded: is left out: the other side has no profile of its host and hour\n");
}

}  // namespace
}  // namespace pgo::diff_report_test
