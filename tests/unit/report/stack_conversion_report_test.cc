#include "pgo/report/stack_conversion_report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace pgo::stack_conversion_report_test {
namespace {

StackConversion conversion() {
  StackConversion result;
  result.samples = 41;
  result.binaries = 1;
  result.weight = {"cpu", "nanoseconds", 1000};
  result.totals = {result.weight};
  StackNaming::File program{"/srv/server", "aa", 0, {}};
  program.weight.by_debug_info = 500;
  program.weight.by_symbol = 50;
  StackNaming::File library{"/lib/libfoo.so", "bb", std::nullopt, {}};
  library.weight.unnamed = 370;
  StackNaming::File kernel{"[kernel.kallsyms]", "", std::nullopt, {}};
  kernel.weight.unnamed = 70;
  StackNaming::File small{"/lib/small.so", "cc", std::nullopt, {}};
  small.weight.unnamed = 10;
  result.naming.files = {program, library, kernel, small};
  result.naming.weight = {500, 50, 0, 450};
  return result;
}

std::string text_of(const StackConversion& result) {
  std::string text;
  for (const Message& message : stack_conversion_messages(result)) text += message.text + "\n";
  return text;
}

TEST(StackConversionReport, SaysHowMuchIsNamedAndWhichFilesAreMissing) {
  EXPECT_EQ(text_of(conversion()),
            "41 different samples; of cpu/nanoseconds, 50.0 % is named by debug information, 5.0 % "
            "by symbol, 45.0 % has no name\n"
            "37.0 % is in /lib/libfoo.so (build ID bb), which no \xFF{binary} names\n");
}

TEST(StackConversionReport, SaysWhatHadNamesBefore) {
  StackConversion result = conversion();
  result.naming.weight = {0, 0, 1000, 0};
  result.naming.files.clear();
  EXPECT_EQ(text_of(result),
            "41 different samples; of cpu/nanoseconds, 0.0 % is named by debug information, 0.0 % "
            "by symbol, 100.0 % was named before, 0.0 % has no name\n");
}

TEST(StackConversionReport, SaysThatAddressesHaveNoNamesWithoutABinary) {
  StackConversion result = conversion();
  result.binaries = 0;
  result.lost = 3;
  EXPECT_EQ(text_of(result),
            "the kernel lost 3 samples; they are in no profile\n"
            "41 different samples; addresses have no names: no \xFF{binary} was given\n");
}

TEST(StackConversionReport, HasAllFilesInJson) {
  const nlohmann::json json = stack_conversion_json(conversion());
  EXPECT_EQ(json["named"]["total"], 1000);
  EXPECT_EQ(json["files"].size(), 4u);
  EXPECT_EQ(json["files"][0]["is_binary"], true);
  EXPECT_EQ(json["files"][1]["named"]["unnamed"], 370);
  EXPECT_EQ(json["totals"]["cpu/nanoseconds"], 1000);
}

}  // namespace
}  // namespace pgo::stack_conversion_report_test
