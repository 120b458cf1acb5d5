// ingest() of several inputs: files of several kinds, all written here, into one address profile.
#include "pgo/ingest/ingest.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>

#include "tests/data/probed_program.h"
#include "tests/data/temporary_files.h"

namespace pgo::test::several_inputs_test {
namespace {

class SeveralInputs : public TemporaryFiles {
 protected:
  Result<IngestResult> read(const std::vector<std::string>& arguments, unsigned jobs = 1) const {
    PGO_TRY(std::vector<InputFile> files, find_input_files(arguments));
    IngestRequest request;
    request.files = std::move(files);
    request.read.jobs = jobs;
    return ingest(request, binaries_);
  }

  // Kinds of warnings, and how many there are of each.
  static std::string warnings_of(const IngestResult& result) {
    std::string text;
    for (const auto& [kind, entry] : result.profile.diagnostics.entries())
      text += kind + ' ' + std::to_string(entry.count) + '\n';
    return text;
  }

  std::string server_ = write("bin/server", probed_program());
  BinarySet binaries_ = BinarySet::open({server_}, {}).value();
};

TEST_F(SeveralInputs, AddsFilesUp) {
  const std::string a = write("hosts/a.data", branch_recording(10)),
                    b = write("hosts/b.data", branch_recording(7));
  IngestResult result = read({a, b}).value();
  EXPECT_EQ(result.profile.check(), std::nullopt);
  EXPECT_EQ(result.profile.samples.used, 17u);
  EXPECT_EQ(result.profile.branches.used, 51u);
  ASSERT_EQ(result.profile.binaries.size(), 1u);
  EXPECT_EQ(result.profile.binaries[0].traces.size(), 3u);
  EXPECT_EQ(warnings_of(result), "");
  EXPECT_EQ(read({b, a}).value().profile, result.profile);
  EXPECT_EQ(read({path("hosts")}, 2).value().profile, result.profile);
}

TEST_F(SeveralInputs, NamesPcSamplesBesideBranchRecords) {
  IngestResult result =
      read({write("a.data", branch_recording(10)), write("b.data", clock_recording(5))}).value();
  EXPECT_EQ(result.profile.samples.used, 10u);
  EXPECT_EQ(result.profile.samples.pending, 5u);  // until the caller drops or keeps them
  ASSERT_EQ(result.unused.size(), 1u);
  EXPECT_EQ(result.unused[0].path, path("b.data"));
}

TEST_F(SeveralInputs, KeepsPcSamplesPending) {
  IngestResult result = read({write("b.data", clock_recording(5))}).value();
  EXPECT_EQ(result.profile.samples.pending, 5u);
  EXPECT_EQ(result.profile.samples.used, 0u);
  ASSERT_EQ(result.profile.binaries[0].pc_samples.size(), 1u);
  EXPECT_EQ(result.profile.binaries[0].pc_samples[0].samples, 5u);
}

TEST_F(SeveralInputs, SkipsOtherFilesOfADirectory) {
  write("hosts/a.data", branch_recording(10));
  write("hosts/notes.txt", "ate lunch\n");
  IngestResult result = read({path("hosts")}).value();
  EXPECT_EQ(result.profile.samples.used, 10u);
  EXPECT_EQ(warnings_of(result), "not-a-recording 1\n");
}

TEST_F(SeveralInputs, RefusesOtherFilesThatWereNamed) {
  Result<IngestResult> result =
      read({write("a.data", branch_recording(10)), write("notes.txt", "ate lunch\n")});
  ASSERT_FALSE(result);
  EXPECT_TRUE(result.error().message.starts_with(path("notes.txt") + ": begins with 'ate lunc', "))
      << result.error().message;
}

TEST_F(SeveralInputs, CountsCopiesWithAWarning) {
  const std::string a = write("a.data", branch_recording(10)),
                    copy = write("copy.data", branch_recording(10));
  IngestResult result = read({a, copy}).value();
  EXPECT_EQ(result.profile.samples.used, 20u);
  EXPECT_NE(warnings_of(result), "");
}

TEST_F(SeveralInputs, NamesInputsThatGiveNothing) {
  PerfDataBuilder empty;
  empty.event(branch_event()).mmap2(map_of_probed_program());
  IngestResult result =
      read({write("a.data", branch_recording(10)), write("b.data", empty.file())}).value();
  ASSERT_EQ(result.unused.size(), 1u);
  EXPECT_EQ(result.unused[0].path, path("b.data"));
}

TEST_F(SeveralInputs, FailsWithTheFirstDamagedFile) {
  ByteVector cut = branch_recording(10);
  cut.resize(50);
  const std::string first = write("a.data", cut), second = write("b.data", cut);
  for (unsigned jobs : {1u, 2u}) {
    Result<IngestResult> result = read({second, first}, jobs);
    ASSERT_FALSE(result);
    EXPECT_TRUE(result.error().message.starts_with(first + ": ")) << result.error().message;
  }
}

// A recording by `perf record -k`: samples from 5 to 7 s after a moment at `wall` seconds.
ByteVector recording_with_clock(uint64_t wall) {
  constexpr uint64_t kSecond = 1'000'000'000;
  PerfDataBuilder perf;
  perf.event(branch_event()).mmap2(map_of_probed_program());
  perf.feature(perf_data::kFeatureClockData, words({uint64_t{1} << 32 | 1, wall * kSecond, 0}));
  perf.feature(perf_data::kFeatureSampleTime, words({5 * kSecond, 7 * kSecond - 1}));
  return perf.file();
}

void set_time(const std::string& path, int64_t seconds) {
  const std::chrono::sys_seconds time{std::chrono::seconds(seconds)};
  std::filesystem::last_write_time(path, std::chrono::file_clock::from_sys(time));
}

TEST_F(SeveralInputs, KnowsWhenRecordingsWereMade) {
  constexpr int64_t kSecond = 1'000'000'000;
  const std::string own = write("own.data", recording_with_clock(100)),
                    a = write("a.data", branch_recording(10)),
                    b = write("b.data", branch_recording(7));
  set_time(own, 500);
  set_time(a, 300);
  set_time(b, 200);
  const IngestResult result = read({own, a, b}, 2).value();
  EXPECT_EQ(result.profile.origins.window, (Origins::Window{105 * kSecond, 107 * kSecond}));
  EXPECT_EQ(result.modified.profiles, 2u);
  EXPECT_EQ(result.modified.window, (Origins::Window{200 * kSecond, 301 * kSecond}));
  set_time(a, 0);  // as archives may set it
  EXPECT_TRUE(read({a}).value().modified.empty());
  // A day that cannot be: what the file says counts.
  const IngestResult odd = read({write("odd.data", recording_with_clock(10'000'000'000))}).value();
  EXPECT_EQ(odd.profile.origins.window, std::nullopt);
  EXPECT_EQ(odd.modified.profiles, 1u);
}

}  // namespace
}  // namespace pgo::test::several_inputs_test
