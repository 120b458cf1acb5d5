// ingest() of several inputs: files of several kinds, all written here, into one address profile.
#include "pgo/ingest/ingest.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace pgo::test::several_inputs_test
