// The host of this machine, with a script in place of perf. tests/e2e/capture/ runs the real one.
#include "pgo/capture/local_host.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pgo/base/clock.h"
#include "tests/data/small_recording.h"
#include "tests/data/temporary_files.h"

namespace pgo::local_host_test {
namespace {

class LocalHostTest : public test::TemporaryFiles {
 protected:
  LocalHostTest() {
    options_.service = {ServiceKind::kPid, std::to_string(::getpid())};
    request_.duration = 50'000'000;
    options_.engine = EngineWish::kClock;
    request_.labels = {{"service", "queryd"}};
    options_.search_path = path("bin");
    options_.pause_file = path("pause");
    std::filesystem::create_directories(path("work"));
  }
  // `script` finds the file to write as $output; its trial runs `true`.
  std::unique_ptr<LocalHost> open(const std::string& script) {
    ::chmod(write("bin/perf",
                  "#!/bin/sh\nfor last; do [ \"$before\" != -o ] || output=$last; before=$last; "
                  "done\n[ \"$last\" != true ] || exit 0\n" +
                      script)
                .c_str(),
            0755);
    Result<std::unique_ptr<LocalHost>> host = LocalHost::open(options_, request_);
    EXPECT_TRUE(host) << text_of(host.error());
    return host ? *std::move(host) : nullptr;
  }
  std::string open_error() {
    const Result<std::unique_ptr<LocalHost>> host = LocalHost::open(options_, request_);
    return host ? "none" : text_of(host.error());
  }
  // What recording this process gives.
  std::string record(const std::string& script) {
    const std::unique_ptr<LocalHost> host = open(script);
    const Result<HostRecording> recording = host->record({{::getpid(), 0, 0}}, path("work"));
    return recording ? "none" : text_of(recording.error());
  }

  LocalHostOptions options_;
  CaptureRequest request_;
};

TEST_F(LocalHostTest, ARecordingThatPerfDoesNotMakeIsAnError) {
  EXPECT_EQ(record("echo 'failed to mmap with 12 (Cannot allocate memory)' >&2\nexit 255\n"),
            "bin/perf left no recording: failed to mmap with 12 (Cannot allocate memory); ");
  EXPECT_TRUE(record("printf 'PERFILE2%072d' 1 > \"$output\"\n").starts_with("work/perf.data: "));
}

TEST_F(LocalHostTest, WaitsUntilThePauseFileOrARequestToEndIsThere) {
  const std::unique_ptr<LocalHost> host = open("");
  EXPECT_FALSE(host->is_paused());
  write("pause", "");
  EXPECT_TRUE(host->is_paused());
  const int64_t begin = host->now();
  host->wait_until(begin + 20'000'000);
  EXPECT_GE(host->now(), begin + 20'000'000);
  EXPECT_FALSE(host->is_asked_to_end());
  ::raise(SIGTERM);
  EXPECT_TRUE(host->is_asked_to_end());
  EXPECT_FALSE(host->is_time_over());
  EXPECT_EQ(host->is_asked_to_end(), options_.end->time().has_value());
  host->wait_until(host->now() + int64_t{3600} * 1'000'000'000);
  // The request goes with the host: this test is not ended by it.
}

// Making a profile may take long, and whoever asked counts that, too.
TEST_F(LocalHostTest, ItsTimeBeginsWhenARequestEndsARecording) {
  const std::vector<uint8_t> made = test::small_recording().file();
  write("made.data", Bytes(made));
  const std::unique_ptr<LocalHost> host =
      open("trap '' INT TERM\n/bin/cp " + path("made.data") + " \"$output\"\nkill -TERM $PPID\n");
  EXPECT_TRUE(host->record({{::getpid(), 0, 0}}, path("work")));
  sigset_t requests;
  ::sigemptyset(&requests);
  ::sigaddset(&requests, SIGTERM);
  EXPECT_EQ(::sigwaitinfo(&requests, nullptr), SIGTERM);
  // It was noted: now nothing tells of it any more.
  EXPECT_TRUE(options_.end->time());
}

TEST_F(LocalHostTest, FindsTheProcesses) {
  const std::unique_ptr<LocalHost> host = open("");
  const Result<std::vector<ServiceProcess>> none = host->find_processes();
  ASSERT_TRUE(none);
  EXPECT_TRUE(none->empty());  // pgo itself is no service
}

TEST_F(LocalHostTest, OnlyRepeatedRecordingsHaveALongerPeriod) {
  EXPECT_EQ(open("")->engine().period, 250'007u);
  EXPECT_FALSE(open("")->engine().has_branches);
  request_.interval = 1'000'000'000;
  request_.max_overhead = 0.01;
  EXPECT_EQ(open("")->engine().period, 6 * 250'007u);
  options_.period = 99;
  EXPECT_EQ(open("")->engine().period, 99u);
}

TEST_F(LocalHostTest, SaysThatOnlyTheBusiestProcessesAreRecorded) {
  const std::vector<uint8_t> made = test::small_recording().file();
  write("made.data", Bytes(made));
  const std::unique_ptr<LocalHost> host = open("/bin/cp " + path("made.data") + " \"$output\"\n");
  for (const size_t count : {size_t{256}, size_t{257}}) {
    const Result<HostRecording> recording =
        host->record(std::vector<ServiceProcess>(count, {::getpid(), 0, 0}), path("work"));
    ASSERT_TRUE(recording) << text_of(recording.error());
    EXPECT_EQ(recording->profile.diagnostics.entries().contains(kManyProcesses), count == 257);
  }
}

TEST_F(LocalHostTest, EnginesThatRunACommandAreRefused) {
  options_.engine = EngineWish::kStep;
  EXPECT_EQ(open_error(),
            "\xFF{engine} step runs a command from its start; a service that runs is recorded with "
            "\xFF{engine} perf or clock");
  options_.engine = EngineWish::kEmulate;
  EXPECT_TRUE(open_error().starts_with("\xFF{engine} emulate runs a command from its start"));
  options_.engine = EngineWish::kAny;
  EXPECT_TRUE(open_error().starts_with("perf was not found; ")) << open_error();
}

}  // namespace
}  // namespace pgo::local_host_test
