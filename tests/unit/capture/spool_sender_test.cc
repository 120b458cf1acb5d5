#include "pgo/capture/spool_sender.h"

#include "tests/unit/capture/capture_fixture.h"

namespace pgo::spool_sender_test {
namespace {

using test::kSecond;

class SpoolSenderTest : public test::TemporaryFiles {
 protected:
  SpoolSenderTest() : spool_(Spool::open(path("spool"), {}).value()) {
    for (const char* contents : {"one", "two", "three"}) {
      EXPECT_TRUE(spool_.begin_recording());
      EXPECT_TRUE(spool_.add({contents, ".addr", {{"service", "queryd"}}, 1}));
      EXPECT_TRUE(spool_.end_recording(RecordingEnd::kKept));
    }
  }
  // How many were stored, and why not all.
  std::string send() {
    const Result<SendRound> round = sender_.send();
    if (!round) return "failed: " + text_of(round.error());
    return std::to_string(round->stored) +
           (round->error ? ", " + text_of(*round->error) + " [" + round->reason + "]" : "");
  }
  int64_t pause() const { return (sender_.next_round().value_or(-1) - host_.time) / kSecond; }

  test::FakeHost host_;
  Spool spool_;
  SpoolSender sender_{host_, spool_, [](const std::string&) {}};
};

TEST_F(SpoolSenderTest, SendsAllTheOldestFirst) {
  EXPECT_TRUE(sender_.has_untried());
  EXPECT_EQ(send(), "3");
  EXPECT_EQ(host_.sent, (std::vector<std::string>{"queryd: one", "queryd: two", "queryd: three"}));
  EXPECT_FALSE(sender_.has_untried());
  EXPECT_FALSE(sender_.next_round());
  EXPECT_EQ(send(), "0");
}

TEST_F(SpoolSenderTest, PausesDoubleUpToFiveMinutesWhileTheStoreIsAway) {
  host_.store_is_away = true;
  for (const int64_t expected : {10, 20, 40, 80, 160, 300, 300}) {
    EXPECT_EQ(send(), "0, store: connection refused; start it [: connection refusedstart it]");
    EXPECT_EQ(pause(), expected);
  }
  EXPECT_EQ(host_.tries, 2 * 7);  // two failures end a round
  host_.store_is_away = false;
  EXPECT_EQ(send(), "3");
}

TEST_F(SpoolSenderTest, SendsAtOnceWhenTheClockWasSetBack) {
  host_.store_is_away = true;
  send();
  EXPECT_EQ(pause(), 10);
  host_.time -= 24 * 3600 * kSecond;
  EXPECT_EQ(pause(), 0);
}

// Labels are what tells where a profile belongs: without them it is not sent, and stays.
TEST_F(SpoolSenderTest, WhatHasNoLabelsStaysAndDoesNotHoldUpOthers) {
  std::filesystem::remove(path("spool/0000000001-1.addr.labels"));
  write("spool/0000000003-1.addr.labels", "{\"labels\": 5");
  EXPECT_EQ(
      send(),
      "1, spool/0000000003-1.addr.labels: the labels of a profile: line 1 is not valid JSON;  "
      "[: the labels of a profile: line 1 is not valid JSON]");
  EXPECT_EQ(host_.sent, std::vector<std::string>{"queryd: two"});
  EXPECT_EQ(spool_.profiles().size(), 2u);
}

// The store has it, and that could not be written down.
TEST_F(SpoolSenderTest, ASpoolThatCannotBeWrittenEndsTheRound) {
  host_.on_send = [this] {
    std::filesystem::remove(path("spool/0000000001-1.addr"));
    write("spool/0000000001-1.addr/file", "in a directory");
  };
  EXPECT_EQ(send(), "failed: spool/0000000001-1.addr.stored: cannot remove: Directory not empty; ");
}

}  // namespace
}  // namespace pgo::spool_sender_test
