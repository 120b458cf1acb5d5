// refresh(), from a source in memory to a registry in a directory: a service that is written in Go,
// whose profile needs no program. tests/e2e/refresh/ has services in C++.
#include "pgo/refresh/refresh.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "converters/pprof/pprof_writer.h"
#include "pgo/base/gzip.h"
#include "tests/data/layout_opener.h"
#include "tests/data/memory_source.h"
#include "tests/data/small_stacks.h"
#include "tests/data/temporary_files.h"

namespace pgo::refresh_test {
namespace {

namespace fs = std::filesystem;

class RefreshTest : public test::TemporaryFiles {
 protected:
  RefreshTest() {
    request_.service.name = "queryd";
    request_.service.place = "pgo.toml:1:1";
    request_.service.outputs = {ServiceOutput::kGo};
    request_.sources = {&source_};
    request_.registry = {RegistryReference::Kind::kLayout, "", path("registry"), "", ""};
    request_.lock = path("pgo.lock");
    request_.open = test::open_layout;
    request_.cache = path("cache");
    request_.tool_version = "0.1.0";
    request_.jobs = 2;
    add("web-1");
    add("web-2");
  }
  // A CPU profile of an hour of a host, as a program in Go writes it.
  void add(const std::string& host) {
    StackProfile stacks = test::small_stacks(
        {{.stack = {{"main.scan", "scan.go"}, {"main.main", "main.go"}}, .count = 60'000}});
    for (StackFunction& function : stacks.functions) function.start_line = 1;
    stacks.time = 1'795'687'200'000'000'000;              // 2026-11-26T10:00:00Z
    stacks.comments.push_back(stacks.strings.add(host));  // no two have the same contents
    stacks.normalize();
    source_.add(host + "/10", {{"host", host}, {"hour", "2026-11-26T10"}},
                gzip(write_pprof(stacks)).value());
  }
  RefreshResult refreshed() {
    Result<RefreshResult> result = refresh(request_);
    EXPECT_TRUE(result) << text_of(result.error());
    return result ? *std::move(result) : RefreshResult();
  }
  // The pinned version.
  std::optional<LockEntry> pinned() const {
    Diagnostics ignored;
    if (!fs::exists(path("pgo.lock"))) return std::nullopt;
    Result<LockFile> lock = read_lock_file(path("pgo.lock"), ignored);
    EXPECT_TRUE(lock) << lock.error().message;
    auto entry = lock->profiles.find("queryd");
    return entry == lock->profiles.end() ? std::nullopt : std::optional(entry->second);
  }

  test::MemorySource source_{"s3://bucket/p"};
  RefreshRequest request_;
};

TEST_F(RefreshTest, PinsANewProfileOnce) {
  const RefreshResult first = refreshed();
  EXPECT_EQ(first.outcome, RefreshOutcome::kPinned);
  EXPECT_EQ(first.figures.hosts, 2u);
  EXPECT_FALSE(first.before);
  ASSERT_TRUE(pinned());
  EXPECT_EQ(pinned()->manifest, first.digest);
  EXPECT_EQ(pinned()->inputs, first.inputs);

  const RefreshResult again = refreshed();
  EXPECT_EQ(again.outcome, RefreshOutcome::kNothingNew);
  EXPECT_EQ(again.digest, first.digest);
  EXPECT_TRUE(again.gates.empty());

  add("web-3");
  const RefreshResult next = refreshed();
  EXPECT_EQ(next.outcome, RefreshOutcome::kPinned);
  ASSERT_TRUE(next.before);
  EXPECT_EQ(next.before->manifest, first.digest);
  EXPECT_EQ(pinned()->manifest, next.digest);
  EXPECT_NE(next.digest, first.digest);
}

TEST_F(RefreshTest, TouchesNothingInADryRun) {
  request_.mode = RefreshMode::kDryRun;
  EXPECT_EQ(refreshed().outcome, RefreshOutcome::kWouldPin);
  EXPECT_FALSE(pinned());
  EXPECT_FALSE(fs::exists(path("registry")));
}

TEST_F(RefreshTest, PinsNothingThatAGateRefuses) {
  request_.service.gates.hosts = 3;
  const RefreshResult result = refreshed();
  EXPECT_EQ(result.outcome, RefreshOutcome::kRefused);
  std::string failed;
  for (const GateResult& gate : result.gates)
    if (gate.verdict == GateVerdict::kFailed) failed += gate.name + " ";
  EXPECT_EQ(failed, "min-hosts ");
  EXPECT_FALSE(pinned());
}

TEST_F(RefreshTest, PinsNothingOfTooFewProfiles) {
  request_.limits.profiles = 3;
  const RefreshResult result = refreshed();
  EXPECT_EQ(result.outcome, RefreshOutcome::kRefused);
  ASSERT_EQ(result.gates.size(), 1u);
  EXPECT_EQ(result.gates[0].name, "fetch");
  EXPECT_FALSE(pinned());
}

TEST_F(RefreshTest, PushesAgainWhatTheRegistryHasLost) {
  const std::string digest = refreshed().digest;
  fs::remove_all(path("registry"));
  const RefreshResult again = refreshed();
  EXPECT_EQ(again.outcome, RefreshOutcome::kPushedAgain);
  EXPECT_EQ(again.digest, digest);
  EXPECT_TRUE(again.diagnostics.entries().contains("lost-version"));
  EXPECT_EQ(refreshed().outcome, RefreshOutcome::kNothingNew);
}

TEST_F(RefreshTest, AsksForTheKeyThatTheLockFileRequires) {
  refreshed();
  Diagnostics ignored;
  LockFile lock = read_lock_file(path("pgo.lock"), ignored).value();
  lock.profiles["queryd"].signed_by = "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3";
  write("pgo.lock", lock_file_text(lock));
  add("web-3");
  const Result<RefreshResult> result = refresh(request_);
  ASSERT_FALSE(result);
  EXPECT_EQ(text_of(result.error()),
            "pgo.lock: requires a signature of queryd, and this run has no key to sign with; name "
            "it with \xFF{sign}");
}

TEST_F(RefreshTest, SaysWhatIsWrongBeforeItFetches) {
  request_.service.outputs = {ServiceOutput::kLlvm};
  const Result<RefreshResult> result = refresh(request_);
  ASSERT_FALSE(result);
  EXPECT_TRUE(text_of(result.error()).starts_with("pgo.toml:1:1: service.queryd: has no binaries"))
      << text_of(result.error());
  EXPECT_TRUE(source_.fetched().empty());
}

}  // namespace
}  // namespace pgo::refresh_test
