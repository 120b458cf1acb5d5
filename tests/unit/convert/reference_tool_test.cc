#include "pgo/convert/reference_tool.h"

#include <gtest/gtest.h>

#include <fstream>

#include "pgo/base/temporary_directory.h"
#include "tests/data/perf_data_builder.h"

namespace pgo::test::reference_tool_test {
namespace {

// Said before any tool is looked for.
TEST(ReferenceTool, NamesRecordingsWithoutBranchRecords) {
  TemporaryDirectory directory = TemporaryDirectory::make().value();
  const std::string path = directory.file("a.perf");
  auto error = [&](uint64_t more) {
    std::vector<uint8_t> bytes =
        PerfDataBuilder()
            .event({.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | more,
                    .branch_sample_type = PERF_SAMPLE_BRANCH_CALL_STACK})
            .finished_round()
            .file();
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    ConvertRequest request;
    request.binaries = {"server"};
    Error found = ReferenceTool::find("llvm-profgen", request, {{path, false}}).error();
    return found.message.substr(0, found.message.find(path)) + "PATH" +
           found.message.substr(found.message.find(path) + path.size()) + "; " + found.advice;
  };
  EXPECT_EQ(error(0),
            "llvm-profgen needs branch records (perf record -b), and PATH has only PC samples; "
            "leave out \xFF{with} and \xFF{check-against}, because pgo converts PC samples itself");
  EXPECT_EQ(
      error(PERF_SAMPLE_BRANCH_STACK),
      "llvm-profgen needs branch records (perf record -b), and PATH has LBR call stacks (perf "
      "record --call-graph lbr); leave out \xFF{with} and \xFF{check-against}, because pgo "
      "converts PC samples itself");
}

}  // namespace
}  // namespace pgo::test::reference_tool_test
