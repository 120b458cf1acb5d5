// A spool on a disk that is full, or in a directory that changes below it. A limit for the size of
// files stands in for the full disk.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <filesystem>

#include "pgo/capture/spool.h"
#include "tests/data/temporary_files.h"

namespace pgo::spool_errors_test {
namespace {

// No file can be larger, as long as it lives.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    handler_ = ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    ::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int) = nullptr;
};

class SpoolErrorsTest : public test::TemporaryFiles {
 protected:
  Spool open() { return Spool::open(path("spool"), {}).value(); }
  template <typename Value>
  std::string error(const Result<Value>& result) const {
    return result ? "none" : text_of(result.error());
  }
  static std::string counts(const Spool& spool) {
    const auto& [recordings, profiles, skipped] = spool.counts();
    return std::to_string(recordings.begun) + " begun, " + std::to_string(recordings.failed) +
           " failed, " + std::to_string(profiles.made) + " made, " +
           std::to_string(profiles.stored) + " stored, " + std::to_string(spool.profiles().size()) +
           " waiting";
  }
  static constexpr rlim_t kRoomForCounts = 2000, kNoRoom = 10;
};

TEST_F(SpoolErrorsTest, AProfileThatDoesNotFitOnTheDiskIsNotCountedAsMade) {
  {
    Spool spool = open();
    ASSERT_TRUE(spool.begin_recording());
    {
      const FileSizeLimit limit(kRoomForCounts);
      EXPECT_EQ(error(spool.add({std::string(5000, 'a'), ".addr", {}, 1})),
                "spool/0000000001-1.addr: cannot write: File too large; ");
      ASSERT_TRUE(spool.end_recording(RecordingEnd::kFailed));
    }
    EXPECT_EQ(counts(spool), "1 begun, 1 failed, 0 made, 0 stored, 0 waiting");
    // With room again, it goes on.
    ASSERT_TRUE(spool.begin_recording());
    ASSERT_TRUE(spool.add({"small", ".addr", {}, 1}));
    ASSERT_TRUE(spool.end_recording(RecordingEnd::kKept));
  }
  EXPECT_EQ(counts(open()), "2 begun, 1 failed, 1 made, 0 stored, 1 waiting");
  // Nothing of the first one is left.
  for (const auto& entry : std::filesystem::directory_iterator(path("spool")))
    EXPECT_FALSE(entry.path().filename().string().starts_with("0000000001")) << entry.path();
}

TEST_F(SpoolErrorsTest, CountsThatCannotBeWrittenAreAnError) {
  Spool spool = open();
  ASSERT_TRUE(spool.begin_recording());
  ASSERT_TRUE(spool.add({"one", ".addr", {}, 1}));
  const std::string expected = "spool/status.json: cannot write: File too large; ";
  {
    const FileSizeLimit limit(kNoRoom);
    EXPECT_EQ(error(spool.end_recording(RecordingEnd::kKept)), expected);
    EXPECT_EQ(error(spool.skip_turn(SkippedTurn::kPaused)), expected);
    EXPECT_EQ(error(spool.note_error(1, "refused")), expected);
    // The profile is removed nevertheless: that makes room.
    EXPECT_EQ(error(spool.settle("0000000001-1.addr", Settled::kStored)), expected);
    EXPECT_FALSE(std::filesystem::exists(spool.path_of("0000000001-1.addr")));
    EXPECT_EQ(error(Spool::open(path("other"), {})),
              "other/status.json: cannot write: File too large; ");
  }
  ASSERT_TRUE(spool.skip_turn(SkippedTurn::kPaused));
  EXPECT_EQ(counts(spool), "1 begun, 0 failed, 1 made, 1 stored, 0 waiting");
}

// What became of a profile is known nevertheless, also to the next run.
TEST_F(SpoolErrorsTest, AProfileIsCountedAfterItsCountCouldNotBeWritten) {
  for (const bool goes_on : {true, false}) {
    std::filesystem::remove_all(path("spool"));
    {
      Spool spool = open();
      for (const char* contents : {"one", "two"}) {
        ASSERT_TRUE(spool.begin_recording());
        ASSERT_TRUE(spool.add({contents, ".addr", {}, 1}));
        ASSERT_TRUE(spool.end_recording(RecordingEnd::kKept));
      }
      {
        const FileSizeLimit limit(kNoRoom);
        const std::string expected = "spool/status.json: cannot write: File too large; ";
        EXPECT_EQ(error(spool.settle("0000000001-1.addr", Settled::kStored)), expected);
        // It has made room, which did not suffice. The next one waits for it.
        EXPECT_EQ(std::filesystem::file_size(path("spool/0000000001-1.addr.stored")), 0u);
        EXPECT_EQ(error(spool.settle("0000000002-1.addr", Settled::kStored)), expected);
      }
      EXPECT_EQ(counts(spool), "2 begun, 0 failed, 2 made, 1 stored, 1 waiting");
      if (goes_on) {
        ASSERT_TRUE(spool.settle("0000000002-1.addr", Settled::kStored));
      }
    }
    EXPECT_EQ(counts(open()), goes_on ? "2 begun, 0 failed, 2 made, 2 stored, 0 waiting"
                                      : "2 begun, 0 failed, 2 made, 1 stored, 1 waiting");
    EXPECT_FALSE(std::filesystem::exists(path("spool/0000000001-1.addr.stored")));
    EXPECT_FALSE(std::filesystem::exists(path("spool/0000000001-1.addr.labels")));
  }
}

TEST_F(SpoolErrorsTest, AProfileThatSomebodyRemovedCanBeDropped) {
  Spool spool = open();
  ASSERT_TRUE(spool.begin_recording());
  ASSERT_TRUE(spool.add({"one", ".addr", {}, 1}));
  std::filesystem::remove(spool.path_of("0000000001-1.addr"));
  EXPECT_EQ(error(spool.settle("0000000001-1.addr", Settled::kDropped)), "none");
  EXPECT_EQ(counts(spool), "1 begun, 0 failed, 1 made, 0 stored, 0 waiting");
  EXPECT_FALSE(std::filesystem::exists(spool.path_of("0000000001-1.addr.labels")));
}

TEST_F(SpoolErrorsTest, AProfileThatCannotBeRenamedStays) {
  Spool spool = open();
  ASSERT_TRUE(spool.begin_recording());
  ASSERT_TRUE(spool.add({"one", ".addr", {}, 1}));
  write("spool/0000000001-1.addr.stored/file", "");
  EXPECT_EQ(error(spool.settle("0000000001-1.addr", Settled::kStored)),
            "spool/0000000001-1.addr: cannot rename: Is a directory; ");
  EXPECT_EQ(counts(spool), "1 begun, 0 failed, 1 made, 0 stored, 1 waiting");
}

TEST_F(SpoolErrorsTest, ADirectoryThatGoesAwayIsAnError) {
  Spool spool = open();
  std::filesystem::remove_all(path("spool"));
  EXPECT_EQ(error(spool.begin_recording()),
            "spool/recording: cannot make: No such file or directory; ");
  EXPECT_EQ(error(spool.skip_turn(SkippedTurn::kPaused)),
            "spool/status.json: the directory spool does not exist; ");
}

TEST_F(SpoolErrorsTest, LabelsThatAreMissingOrDamagedAreAnError) {
  Spool spool = open();
  ASSERT_TRUE(spool.begin_recording());
  ASSERT_TRUE(spool.add({"one", ".addr", {}, 1}));
  const std::string labels = spool.path_of("0000000001-1.addr.labels");
  write("spool/0000000001-1.addr.labels", "{\"destination\": \"\", \"labels\": 5}");
  EXPECT_EQ(error(spool.labels_of("0000000001-1.addr")),
            "spool/0000000001-1.addr.labels: 'labels' of the labels of a profile is not an object "
            "of texts; ");
  write("spool/0000000001-1.addr.labels", "{\"labels\": {}}");
  EXPECT_EQ(
      error(spool.labels_of("0000000001-1.addr")),
      "spool/0000000001-1.addr.labels: 'destination' of the labels of a profile is not a text; ");
  std::filesystem::remove(labels);
  EXPECT_EQ(error(spool.labels_of("0000000001-1.addr")),
            "spool/0000000001-1.addr.labels: cannot open: No such file or directory; ");
}

}  // namespace
}  // namespace pgo::spool_errors_test
