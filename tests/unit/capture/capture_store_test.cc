// The loop and a store that is away or refuses profiles.
#include "tests/unit/capture/capture_fixture.h"

namespace pgo::capture_store_test {
namespace {

using test::kInterval;
using test::kSecond;

using CaptureStoreTest = test::CaptureTest;

TEST_F(CaptureStoreTest, WhileTheStoreIsAwayTheSpoolFillsAndTheOldestAreDropped) {
  host_.store_is_away = true;
  const CaptureResult result = run(3 * std::string("profile 1").size());
  EXPECT_EQ(result.counts.profiles.made, 10u);
  EXPECT_EQ(result.counts.profiles.dropped, 8u);  // "profile 10" has one byte more
  EXPECT_EQ(result.waiting, 2u);
  EXPECT_EQ(result.last_error->message, "store: connection refused");
  EXPECT_TRUE(says("! not sent: store: connection refused; start it; 1 profile waits in spool"));
  EXPECT_TRUE(
      says("! the spool spool is full: 1 profile was dropped, the oldest first (1 so far)"));
  // The next run sends what is there first, the oldest first.
  host_.store_is_away = false;
  host_.end += kInterval;
  said_.clear();
  run();
  EXPECT_EQ(host_.sent, (std::vector<std::string>{"queryd: profile 9", "queryd: profile 10",
                                                  "queryd: profile 11"}));
  EXPECT_EQ(said_.at(0), "2 profiles wait in spool and will be sent first");
}

TEST_F(CaptureStoreTest, TheStoreIsTriedAgainBetweenTurns) {
  host_.store_is_away = true;
  host_.end = host_.time + 3 * kInterval;
  host_.on_record = [this] {
    if (host_.recorded.size() == 2) host_.store_is_away = false;
    return ok();
  };
  const CaptureResult result = run();
  EXPECT_EQ(result.counts.profiles.stored, 3u);
  EXPECT_TRUE(says("the store answers again: 3 profiles were sent"));
  EXPECT_EQ(std::count_if(said_.begin(), said_.end(),
                          [](const std::string& text) { return text.starts_with("! not sent"); }),
            1);
}

// A store may never take some profiles: Pyroscope refuses those of the time before it was away.
TEST_F(CaptureStoreTest, WhatTheStoreRefusesDoesNotHoldUpOthers) {
  host_.refused = {"profile 1", "profile 2", "profile 3"};
  const CaptureResult result = run();
  EXPECT_EQ(result.counts.profiles.stored, 7u);
  EXPECT_EQ(result.waiting, 3u);
  EXPECT_EQ(host_.sent.at(0), "queryd: profile 4");
  EXPECT_EQ(host_.sent.at(6), "queryd: profile 10");
  EXPECT_TRUE(result.last_error);
}

TEST_F(CaptureStoreTest, ASendingThatSucceedsInTheEndLeavesNoError) {
  host_.store_is_away = true;
  host_.end = host_.time + 3 * kInterval;
  host_.on_pause = [this] { host_.store_is_away = host_.time < host_.end - kInterval; };
  EXPECT_FALSE(run().last_error);
}

// After the store was away, what it refuses does not hold up what it takes, though all have failed.
TEST_F(CaptureStoreTest, WhatTheStoreRefusesDoesNotHoldUpWhatFailedWhileItWasAway) {
  host_.store_is_away = true;
  host_.refused = {"profile 1", "profile 2"};
  host_.on_record = [this] {
    if (host_.recorded.size() == 4) host_.store_is_away = false;
    return ok();
  };
  const CaptureResult result = run();
  EXPECT_EQ(result.counts.profiles.stored, 8u);
  EXPECT_EQ(result.waiting, 2u);
}

// Each new recording would be one more request to a store that is away.
TEST_F(CaptureStoreTest, NewRecordingsDoNotShortenThePause) {
  request_.interval = 40 * kSecond;
  host_.end = host_.time + 3600 * kSecond;
  host_.store_is_away = true;
  const CaptureResult result = run();
  EXPECT_EQ(result.counts.recordings.kept, 90u);
  EXPECT_LT(host_.tries, 2 * (3600 / 300 + 6));  // two in each round
}

TEST_F(CaptureStoreTest, ANewReasonIsTold) {
  host_.refused = {"profile 1"};
  host_.on_record = [this] {
    if (host_.recorded.size() == 4) host_.store_is_away = true;
    return ok();
  };
  run();
  std::string told;
  for (const std::string& text : said_)
    if (text.starts_with("! not sent")) told += text + "\n";
  EXPECT_EQ(told,
            "! not sent: store: profile 1 is too old; 1 profile waits in spool\n"
            "! not sent: store: connection refused; start it; 2 profiles wait in spool\n");
  EXPECT_TRUE(
      says("recorded 1 000 samples of 1 process; overhead since the start 0.02 % of the "
           "service's CPU time; 3 profiles wait"))
      << said_.back();
}

// One spool, two stores.
TEST_F(CaptureStoreTest, ProfilesAreSentOnlyToTheStoreThatTheyWereMadeFor) {
  request_.interval.reset();
  host_.store_is_away = true;
  EXPECT_EQ(run(1 << 20, "s3://profiles").waiting_here, 1u);
  host_.store_is_away = false;
  said_.clear();
  const CaptureResult result = run(1 << 20, "/srv/incident");
  EXPECT_EQ(host_.sent, std::vector<std::string>{"queryd: profile 2"});
  EXPECT_EQ(result.waiting, 1u);
  EXPECT_EQ(result.waiting_here, 0u);
  EXPECT_EQ(said_.at(0),
            "1 profile for s3://profiles waits in spool and will not be sent now: a run with "
            "\xFF{output} s3://profiles sends it");
  EXPECT_EQ(result.of_run, (ProfileCounts{1, 1, 0}));
  EXPECT_EQ(run(1 << 20, "s3://profiles").waiting, 0u);
  EXPECT_EQ(host_.sent.at(1), "queryd: profile 1");
}

// Whoever asks a process to end kills it after some time.
TEST_F(CaptureStoreTest, AtTheEndItSendsForSomeTimeOnly) {
  host_.store_is_away = true;
  run();
  host_.store_is_away = false;
  host_.time_to_send = 15 * kSecond;
  const CaptureResult result = run();
  EXPECT_EQ(host_.sent.size(), 2u);
  EXPECT_EQ(result.waiting, 8u);
}

}  // namespace
}  // namespace pgo::capture_store_test
