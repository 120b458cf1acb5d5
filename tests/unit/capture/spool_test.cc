#include "pgo/capture/spool.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/data/temporary_files.h"

namespace pgo::spool_test {
namespace {

class SpoolTest : public test::TemporaryFiles {
 protected:
  Spool open(uint64_t max_bytes = 1000) {
    Result<Spool> spool = Spool::open(path("spool"), {max_bytes});
    if (!spool) ADD_FAILURE() << spool.error().message;
    return *std::move(spool);
  }
  std::string open_error() {
    Result<Spool> spool = Spool::open(path("spool"), {});
    return spool ? "none" : text_of(spool.error());
  }
  // A recording of one profile. Returns how many were dropped.
  static uint64_t record(Spool& spool, const std::string& contents, const Labels& labels = {}) {
    EXPECT_TRUE(spool.begin_recording());
    Result<uint64_t> dropped = spool.add({contents, ".addr", labels, 1'700'000'000'123'456'789});
    EXPECT_TRUE(dropped);
    EXPECT_TRUE(spool.end_recording(RecordingEnd::kKept));
    return dropped ? *dropped : 0;
  }
  static std::string names(const Spool& spool) {
    std::string text;
    for (const SpooledProfile& one : spool.profiles()) text += one.name + " ";
    return text;
  }
  // begun kept without_samples failed interrupted / made stored dropped
  static std::string counts(const Spool& spool) {
    const auto& [recordings, profiles, skipped] = spool.counts();
    // What must hold whatever happened.
    EXPECT_EQ(recordings.begun, recordings.kept + recordings.without_samples + recordings.failed +
                                    recordings.interrupted);
    EXPECT_EQ(profiles.made, profiles.stored + profiles.dropped + spool.profiles().size());
    std::string text;
    for (uint64_t count : {recordings.begun, recordings.kept, recordings.without_samples,
                           recordings.failed, recordings.interrupted})
      text += std::to_string(count) + " ";
    text += "/";
    for (uint64_t count : {profiles.made, profiles.stored, profiles.dropped})
      text += " " + std::to_string(count);
    return text;
  }
  // As if the program ended at some point: the spool of that moment.
  void keep_as(const std::string& name) {
    std::filesystem::copy(path("spool"), path(name), std::filesystem::copy_options::recursive);
  }
  void restore(const std::string& name) {
    std::filesystem::remove_all(path("spool"));
    std::filesystem::rename(path(name), path("spool"));
  }
};

TEST_F(SpoolTest, KeepsProfilesInOrderWithTimeAndLabels) {
  {
    Spool spool = open();
    record(spool, "one", {{"service", "queryd"}});
    record(spool, "two", {{"service", "other"}, {"version", "1.\xff"}});
  }
  Spool spool = open();
  EXPECT_EQ(names(spool), "0000000001-1.addr 0000000002-1.addr ");
  EXPECT_EQ(spool.bytes(), 6u);
  EXPECT_EQ(counts(spool), "2 2 0 0 0 / 2 0 0");
  EXPECT_EQ(*spool.labels_of("0000000002-1.addr"),
            (Labels{{"service", "other"}, {"version", "1.\xEF\xBF\xBD"}}));
  struct stat status{};
  ASSERT_EQ(::stat(spool.path_of("0000000001-1.addr").c_str(), &status), 0);
  EXPECT_EQ(status.st_mtim.tv_sec, 1'700'000'000);
  EXPECT_EQ(status.st_mtim.tv_nsec, 123'456'789);
}

TEST_F(SpoolTest, DropsTheOldestWhenFull) {
  Spool spool = open(10);
  EXPECT_EQ(record(spool, "12345"), 0u);
  EXPECT_EQ(record(spool, "12345"), 0u);
  EXPECT_EQ(record(spool, "1"), 1u);
  EXPECT_EQ(names(spool), "0000000002-1.addr 0000000003-1.addr ");
  EXPECT_EQ(record(spool, "0123456789a"), 3u);  // never fits
  EXPECT_EQ(names(spool), "");
  EXPECT_EQ(counts(spool), "4 4 0 0 0 / 4 0 4");
  EXPECT_FALSE(std::filesystem::exists(spool.path_of("0000000001-1.addr")));
  EXPECT_FALSE(std::filesystem::exists(spool.path_of("0000000001-1.addr.labels")));
}

// The second profile of a recording whose first was dropped has a name of its own.
TEST_F(SpoolTest, NamesAreNotUsedTwice) {
  Spool spool = open(5);
  ASSERT_TRUE(spool.begin_recording());
  ASSERT_TRUE(spool.add({"0123456789", ".addr", {}, 1}));
  ASSERT_TRUE(spool.add({"12", ".addr", {}, 1}));
  ASSERT_TRUE(spool.end_recording(RecordingEnd::kKept));
  EXPECT_EQ(names(spool), "0000000001-2.addr ");
  EXPECT_EQ(counts(spool), "1 1 0 0 0 / 2 0 1");
}

TEST_F(SpoolTest, CountsWhatBecameOfRecordingsAndProfiles) {
  {
    Spool spool = open();
    record(spool, "one");
    record(spool, "two");
    ASSERT_TRUE(spool.settle("0000000001-1.addr", Settled::kStored));
    ASSERT_TRUE(spool.begin_recording());
    ASSERT_TRUE(spool.end_recording(RecordingEnd::kWithoutSamples));
    ASSERT_TRUE(spool.begin_recording());
    ASSERT_TRUE(spool.end_recording(RecordingEnd::kFailed));
    for (SkippedTurn why :
         {SkippedTurn::kPaused, SkippedTurn::kWithoutProcess, SkippedTurn::kOverBudget})
      ASSERT_TRUE(spool.skip_turn(why));
    ASSERT_TRUE(spool.skip_turn(SkippedTurn::kOverBudget));
  }
  Spool spool = open();
  EXPECT_EQ(counts(spool), "4 2 1 1 0 / 2 1 0");
  EXPECT_EQ(spool.counts().skipped, (SkippedTurns{1, 1, 2}));
  EXPECT_EQ(names(spool), "0000000002-1.addr ");
  EXPECT_EQ(spool.settle("0000000001-1.addr", Settled::kStored).error().kind, ErrorKind::kInternal);
}

// Crashes.

TEST_F(SpoolTest, ARecordingThatWasUnderWayIsInterrupted) {
  {
    Spool spool = open();
    ASSERT_TRUE(spool.begin_recording());
    write("spool/recording/perf.data", "half");
  }
  Spool spool = open();
  EXPECT_EQ(counts(spool), "1 0 0 0 1 / 0 0 0");
  EXPECT_TRUE(spool.lost_recording());
  EXPECT_FALSE(std::filesystem::exists(spool.work_directory()));
  record(spool, "next");
  EXPECT_EQ(names(spool), "0000000002-1.addr ");
}

TEST_F(SpoolTest, ALostRecordingIsFoundOnce) {
  EXPECT_TRUE(open().begin_recording());
  EXPECT_TRUE(open().lost_recording());
  Spool next = open();
  EXPECT_FALSE(next.lost_recording());
  EXPECT_EQ(counts(next), "1 0 0 0 1 / 0 0 0");
}

TEST_F(SpoolTest, AProfileThatIsThereIsCountedOnce) {
  {
    Spool spool = open();
    ASSERT_TRUE(spool.begin_recording());
    ASSERT_TRUE(spool.add({"one", ".addr", {}, 1}));
  }
  EXPECT_EQ(counts(open()), "1 1 0 0 0 / 1 0 0");
  EXPECT_EQ(counts(open()), "1 1 0 0 0 / 1 0 0");
}

TEST_F(SpoolTest, AStoredProfileThatIsStillThereIsNotSentAgain) {
  {
    Spool spool = open();
    record(spool, "one");
    record(spool, "two");
    keep_as("before");
    ASSERT_TRUE(spool.settle("0000000001-1.addr", Settled::kStored));
  }
  // The counts were written, and the file was not removed any more.
  std::filesystem::copy(path("spool/status.json"), path("before/status.json"),
                        std::filesystem::copy_options::overwrite_existing);
  restore("before");
  Spool spool = open();
  EXPECT_EQ(names(spool), "0000000002-1.addr ");
  EXPECT_EQ(counts(spool), "2 2 0 0 0 / 2 1 0");
  EXPECT_EQ(spool.bytes(), 3u);
}

TEST_F(SpoolTest, AProfileThatWasSettledIsCountedOnce) {
  {
    Spool spool = open();
    record(spool, "one");
    record(spool, "two");
    ASSERT_TRUE(spool.begin_recording());
    ASSERT_TRUE(spool.add({"three", ".addr", {}, 1}));  // status.json does not count it as made
  }
  const auto expect = [&](const std::string& settled, const std::string& expected) {
    EXPECT_EQ(counts(open()), expected);
    EXPECT_FALSE(std::filesystem::exists(path("spool/" + settled)));
    // Counted, and not removed any more.
    write("spool/" + settled, "");
    EXPECT_EQ(counts(open()), expected);
    EXPECT_FALSE(std::filesystem::exists(path("spool/" + settled)));
  };
  std::filesystem::rename(path("spool/0000000003-1.addr"), path("spool/0000000003-1.addr.dropped"));
  expect("0000000003-1.addr.dropped", "3 3 0 0 0 / 3 0 1");
  std::filesystem::rename(path("spool/0000000001-1.addr"), path("spool/0000000001-1.addr.stored"));
  expect("0000000001-1.addr.stored", "3 3 0 0 0 / 3 1 1");
  EXPECT_EQ(names(open()), "0000000002-1.addr ");
}

TEST_F(SpoolTest, TemporaryFilesAndLabelsWithoutAProfileAreRemovedAndOthersStay) {
  open();
  write("spool/0000000007-1.addr.labels", "{}");
  write("spool/0000000007-1.addr.tmp12.0", "half");
  write("spool/status.json.tmp12.0", "{");
  write("spool/notes.txt", "mine");
  EXPECT_EQ(counts(open()), "0 0 0 0 0 / 0 0 0");
  std::string left;
  for (const auto& entry : std::filesystem::directory_iterator(path("spool")))
    left += entry.path().filename().string() + " ";
  EXPECT_TRUE(left == "status.json notes.txt " || left == "notes.txt status.json ") << left;
}

// Errors.

TEST_F(SpoolTest, IsUsedByOneProcess) {
  Spool spool = open();
  EXPECT_EQ(relative(open_error()),
            "another process uses the spool spool; end it, or name another "
            "spool with \xFF{spool}");
}

TEST_F(SpoolTest, RefusesDamagedCounts) {
  open();
  write("spool/status.json", "{\"format\": 1");
  EXPECT_TRUE(open_error().starts_with("spool/status.json: ")) << open_error();
  write("spool/status.json", "{\"format\": 2}");
  EXPECT_EQ(
      open_error(),
      "spool/status.json: 'format' of the counts of a spool is not a whole number from 1 to 1; "
      "remove it to count from 0; the profiles beside it are kept");
}

// As the advice says: the profiles beside it are kept, and their names are not used again.
TEST_F(SpoolTest, KeepsProfilesWhoseCountsWereRemoved) {
  {
    Spool spool = open();
    record(spool, "one");
    record(spool, "two");
  }
  std::filesystem::remove(path("spool/status.json"));
  Spool spool = open();
  EXPECT_TRUE(spool.begin_recording());
  EXPECT_TRUE(spool.add({"three", ".addr", {}, 1}));
  EXPECT_TRUE(spool.end_recording(RecordingEnd::kKept));
  EXPECT_EQ(names(spool), "0000000001-1.addr 0000000002-1.addr 0000000003-1.addr ");
  EXPECT_EQ(spool.counts().profiles.made, 3u);
}

TEST_F(SpoolTest, ProfilesBelongToADestination) {
  {
    Spool spool = Spool::open(path("spool"), {1000, "s3://a"}).value();
    record(spool, "one");
  }
  Spool spool = Spool::open(path("spool"), {1000, "s3://b"}).value();
  record(spool, "two");
  ASSERT_EQ(spool.own_profiles().size(), 1u);
  EXPECT_EQ(spool.own_profiles()[0].name, "0000000002-1.addr");
  EXPECT_EQ(spool.other_destinations(), (std::map<std::string, uint64_t>{{"s3://a", 1}}));
}

// A monitor of another user reads the counts, and nothing else.
TEST_F(SpoolTest, OthersReadTheCountsOnly) {
  const mode_t before = ::umask(0077);
  {
    Spool spool = open();
    record(spool, "one");
    spool.note_success(1'700'000'000'000'000'000);
    ASSERT_TRUE(spool.note_error(1'700'000'060'000'000'000, "s3://a: refused"));
  }
  ::umask(before);
  const auto mode_of = [&](const std::string& name) {
    return static_cast<unsigned>(std::filesystem::status(path(name)).permissions());
  };
  EXPECT_EQ(mode_of("spool"), 0755u);
  EXPECT_EQ(mode_of("spool/status.json"), 0644u);
  EXPECT_EQ(mode_of("spool/0000000001-1.addr"), 0600u);
  EXPECT_EQ(mode_of("spool/0000000001-1.addr.labels"), 0600u);
  open();
  std::ifstream file(path("spool/status.json"));
  const nlohmann::json status = nlohmann::json::parse(file);
  EXPECT_EQ(status["last_success"], "2023-11-14T22:13:20Z");
  EXPECT_EQ(status["last_error"], "s3://a: refused");
  EXPECT_EQ(status["last_error_time"], "2023-11-14T22:14:20Z");
}

TEST_F(SpoolTest, RefusesAFile) {
  write("spool", "a file");
  EXPECT_EQ(open_error(), "spool: is not a directory; ");
}

TEST_F(SpoolTest, StatusHasTheCounts) {
  Spool spool = open();
  record(spool, "one");
  std::ifstream file(path("spool/status.json"));
  const nlohmann::json status = nlohmann::json::parse(file);
  EXPECT_EQ(status["recordings_begun"], 1);
  EXPECT_EQ(status["profiles_made"], 1);
  EXPECT_EQ(status["profiles_dropped"], 0);
  EXPECT_EQ(status["waiting"], 1);
  EXPECT_EQ(status["waiting_bytes"], 3);
}

}  // namespace
}  // namespace pgo::spool_test
