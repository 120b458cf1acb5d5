#include "pgo/delivery/delivery.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "pgo/binary/binary.h"
#include "pgo/delivery/running_binaries.h"
#include "tests/data/perf_data_builder.h"
#include "tests/data/temporary_files.h"

namespace pgo::delivery_test {
namespace {

TEST(Delivery, FillsPlaceholders) {
  const Labels values = {{"host", "web-1"}, {"hour", "2026-11-26T13"}};
  EXPECT_EQ(fill_placeholders("q/{hour}/{host}.addr", values).value(),
            "q/2026-11-26T13/web-1.addr");
  EXPECT_EQ(fill_placeholders("q.addr", values).value(), "q.addr");
  const Result<std::string> unknown = fill_placeholders("{zone}.addr", values);
  EXPECT_EQ(unknown.error().message, "\xFF{output} {zone}.addr: there is no {zone}");
  EXPECT_EQ(unknown.error().advice, "use {host}, {hour}, or a key of \xFF{label}");
  EXPECT_EQ(fill_placeholders("{host", values).error().message,
            "\xFF{output} {host: '}' is missing");
}

class RunningBinariesTest : public test::TemporaryFiles {
 protected:
  // One sample of a file of this path and build.
  std::string recording(const std::string& path, const std::string& build_id) {
    test::PerfDataBuilder perf;
    perf.event({.type = PERF_TYPE_SOFTWARE,
                .config = PERF_COUNT_SW_CPU_CLOCK,
                .sample_period = 1000,
                .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
                .flags = test::kFlagSampleIdAll,
                .name = "cpu-clock"});
    perf.mmap2({.pid = 10,
                .time = 2,
                .addr = 0x401000,
                .len = 0x2000,
                .pgoff = 0x1000,
                .path = path,
                .build_id = build_id});
    perf.sample({.pid = 10, .time = 10, .ip = 0x401010});
    return write("perf.data", perf.file());
  }
  std::string own_id() { return open_elf("/proc/self/exe").value().build_id().hex(); }
  Diagnostics diagnostics_;
};

TEST_F(RunningBinariesTest, AreAtTheirPaths) {
  const std::string own = std::filesystem::read_symlink("/proc/self/exe").string();
  EXPECT_EQ(RunningBinaries(std::nullopt)
                .find_sampled(recording(own, own_id()), path(""), diagnostics_)
                .value(),
            std::vector<std::string>{own});
}

TEST_F(RunningBinariesTest, AreWhatRunsWhereThePathHasAnotherFile) {
  const std::string replaced = write("server", "of another build");
  std::filesystem::create_directory(path("links"));
  const RunningBinaries running(::getpid());
  const std::vector<std::string> found =
      running.find_sampled(recording(replaced, own_id()), path("links"), diagnostics_).value();
  ASSERT_EQ(found, std::vector<std::string>{path("links/server")});
  EXPECT_EQ(open_elf(found[0]).value().build_id().hex(), own_id());
  EXPECT_TRUE(diagnostics_.entries().empty());
}

TEST_F(RunningBinariesTest, AreNoOtherBuild) {
  const std::string replaced = write("server", "of another build");
  const std::string id = "0011223344556677889900112233445566778899";
  const Result<std::vector<std::string>> found =
      RunningBinaries(std::nullopt).find_sampled(recording(replaced, id), path(""), diagnostics_);
  EXPECT_EQ(relative(found.error().message),
            "server: no sampled file is there as it ran (build ID " + id + ")");
  EXPECT_EQ(relative(diagnostics_.entries().at(kBinaryGone).messages.at(0)),
            "server: is not there as it ran (build ID " + id + "), so its samples are left out");
}

}  // namespace
}  // namespace pgo::delivery_test
