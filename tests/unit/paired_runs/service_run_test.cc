#include "pgo/paired_runs/service_run.h"

#include <gtest/gtest.h>

#include <fstream>

#include "pgo/paired_runs/paired_runs.h"
#include "tests/data/temporary_files.h"

namespace pgo::service_run_test {
namespace {

std::string loop(int rounds) {
  return "i=0; while [ $i -lt " + std::to_string(rounds) + " ]; do i=$((i+1)); done";
}

class ServiceRun : public test::TemporaryFiles {
 protected:
  // A server that does the work for each line that it reads, and answers.
  std::string server(const std::string& work) const {
    return "cd " + directory() + "; rm -f q a; mkfifo q a; echo $$ > pid; while read n < q; do " +
           work + "; echo $n > a; done";
  }
  ServiceRequest request(const std::string& load) const {
    // An earlier server may have left its file, but is gone.
    return {.ready = "cd " + directory() + "; test -s pid && kill -0 $(cat pid)",
            .load = "cd " + directory() + "; " + load};
  }
  pid_t noted_pid() const {
    std::ifstream file(path("pid"));
    pid_t pid = 0;
    file >> pid;
    return pid;
  }
  static bool exists(pid_t pid) { return ::kill(pid, 0) == 0; }
};

constexpr const char* kLoad = "echo 1 > q; cat a; echo 'Requests/sec: 250'";

TEST_F(ServiceRun, MeasuresTheServerDuringTheLoad) {
  Result<Turn> turn = run_service(server(loop(40000)), request(kLoad));
  ASSERT_TRUE(turn) << turn.error().message;
  EXPECT_GT(turn->cpu, 0);
  EXPECT_GT(turn->peak_memory, 10'000u);
  ASSERT_EQ(turn->load.size(), 1u);
  EXPECT_EQ(turn->load[0].value, 250);
  EXPECT_TRUE(turn->diagnostics.entries().empty());
}

// A server that forks for each question, and waits.
TEST_F(ServiceRun, CountsProcessesThatTheServerStarts) {
  Result<Turn> turn = run_service(server("(" + loop(300000) + ")"), request(kLoad));
  ASSERT_TRUE(turn) << turn.error().message;
  EXPECT_GT(turn->cpu, .02);  // ten times as much on most machines; of the server itself a ms
  EXPECT_GT(turn->user + turn->system, 0);
}

// The load itself works ten times as much here, and the wait for it is idle.
TEST_F(ServiceRun, LeavesOutTheLoad) {
  Result<Turn> turn =
      run_service(server(loop(1000)), request(loop(400000) + "; echo 1 > q; cat a"));
  ASSERT_TRUE(turn) << turn.error().message;
  EXPECT_LT(turn->cpu, turn->wall / 4);
}

TEST_F(ServiceRun, TellsATenthFromTheWhole) {
  PairedRunsRequest pairs;
  pairs.commands = {server(loop(60000)), server(loop(6000))};
  pairs.service = request(kLoad);
  pairs.max_pairs = kFirstLook;
  Result<PairedRunsResult> result = run_pairs(pairs);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->outcome, Outcome::kPass);
  EXPECT_TRUE(result->of_service);
  EXPECT_STREQ(result->figures.back().name, "throughput");
}

// The same server: a load that does ten times as many requests, as one of a fixed duration does of
// a fast one, does not make it dearer.
TEST_F(ServiceRun, ComparesTheCostOfARequest) {
  PairedRunsRequest pairs;
  for (size_t side = 0; side < 2; side++)
    pairs.commands[side] = "echo " + std::string(side == 0 ? "1" : "10") + " > " + path("count") +
                           "; " + server(loop(20000));
  pairs.service = request(
      "n=$(cat count); i=0; while [ $i -lt $n ]; do echo 1 > q; cat a; i=$((i+1)); done; "
      "echo \"Complete requests: $n\"");
  pairs.max_pairs = kFirstLook;
  Result<PairedRunsResult> result = run_pairs(pairs);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_TRUE(result->per_request);
  EXPECT_GT(result->figures[0].medians[1], 3 * result->figures[0].medians[0]);
  EXPECT_LT(result->cost.ratio, 3);
  EXPECT_FALSE(result->equal_wall_time);
}

TEST_F(ServiceRun, SaysWhyAServerEnded) {
  Result<Turn> turn = run_service("echo broken >&2; exit 3", request("true"));
  ASSERT_FALSE(turn);
  EXPECT_EQ(turn.error(),
            (Error{ErrorKind::kMismatch,
                   "echo broken >&2; exit 3: the server ended before it was ready: broken"}));
}

TEST_F(ServiceRun, DoesNotWaitForEver) {
  ServiceRequest never = request("true");
  never.ready = "false";
  never.ready_timeout = std::chrono::milliseconds(200);
  Result<Turn> turn = run_service("echo waiting; exec sleep 100", never);
  ASSERT_FALSE(turn);
  EXPECT_EQ(
      turn.error().message,
      "echo waiting; exec sleep 100: the server was not ready within 200 ms (false): waiting");
}

TEST_F(ServiceRun, EndsWithALoadThatFails) {
  const std::string idle = "cd " + directory() + "; echo $$ > pid; exec sleep 100";
  Result<Turn> turn = run_service(idle, request("echo refused >&2; exit 4"));
  ASSERT_FALSE(turn);
  EXPECT_EQ(turn.error().message,
            "cd " + directory() + "; echo refused >&2; exit 4: failed with exit code 4: refused");
  EXPECT_FALSE(exists(noted_pid()));
}

TEST_F(ServiceRun, RefusesALoadWithFailedRequests) {
  const std::string idle = "cd " + directory() + "; echo $$ > pid; exec sleep 100";
  Result<Turn> turn = run_service(idle, request("echo 'Non-2xx responses: 3'"));
  ASSERT_FALSE(turn);
  EXPECT_TRUE(turn.error().message.starts_with(idle + ": 3 requests failed ("))
      << turn.error().message;
}

TEST_F(ServiceRun, SaysWhatAbCountsAsFailed) {
  const std::string idle = "cd " + directory() + "; echo $$ > pid; exec sleep 100";
  Result<Turn> turn = run_service(idle, request("echo 'Failed requests:        5'"));
  ASSERT_FALSE(turn);
  EXPECT_TRUE(turn.error().message.starts_with(idle + ": 5 requests failed ("))
      << turn.error().message;
  EXPECT_EQ(turn.error().advice,
            "ab also counts responses of another length than the first as failed; with its option "
            "-l it does not");
}

TEST_F(ServiceRun, NoticesAServerThatEndsUnderLoad) {
  const std::string idle = "cd " + directory() + "; echo $$ > pid; exec sleep 100";
  Result<Turn> turn = run_service(
      idle, request("kill $(cat pid); until grep -q ' Z ' /proc/$(cat pid)/stat; do :; done"));
  ASSERT_FALSE(turn);
  EXPECT_EQ(turn.error().message, idle + ": the server ended during the load: it printed nothing");
}

TEST_F(ServiceRun, LeavesNoDaemonBehind) {
  const std::string daemon =
      "cd " + directory() + "; setsid sh -c 'echo $$ > pid; exec sleep 100' & exit 0";
  Result<Turn> turn = run_service(daemon, request("true"));
  ASSERT_TRUE(turn) << turn.error().message;
  ASSERT_GT(noted_pid(), 0);
  EXPECT_FALSE(exists(noted_pid()));
}

TEST_F(ServiceRun, KillsWhatDoesNotStop) {
  const std::string stubborn =
      "cd " + directory() + "; trap '' TERM; echo $$ > pid; while :; do sleep 100; done";
  ServiceRequest impatient = request("true");
  impatient.stop_timeout = std::chrono::milliseconds(200);
  Result<Turn> turn = run_service(stubborn, impatient);
  ASSERT_TRUE(turn) << turn.error().message;
  EXPECT_EQ(turn->diagnostics.entries().at("killed-server"),
            (Diagnostics::Entry{
                {stubborn + ": the server did not end within 200 ms of the signal TERM and was "
                            "killed; choose the signal with \xFF{stop}"},
                1}));
  EXPECT_FALSE(exists(noted_pid()));
}

}  // namespace
}  // namespace pgo::service_run_test
