#include "pgo/paired_runs/service_run.h"

#include <fcntl.h>
#include <poll.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "pgo/base/unique_fd.h"
#include "pgo/paired_runs/command_run.h"

namespace pgo {
namespace {

constexpr std::chrono::milliseconds kBetweenTrials(50);
constexpr std::chrono::seconds kTimeToTidyUp(1);

std::string end_of_file(const std::string& path) {
  constexpr std::streamoff kMost = 4096;
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const std::streamoff size = file.tellg();
  file.seekg(std::max<std::streamoff>(0, size - kMost));
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string time_text(std::chrono::milliseconds time) {
  if (time.count() % 1000 != 0) return std::to_string(time.count()) + " ms";
  return std::to_string(time.count() / 1000) + " s";
}

const char* signal_name(int signal) {
  const char* name = ::sigabbrev_np(signal);
  return name != nullptr ? name : "?";
}

}  // namespace

Result<std::unique_ptr<Service>> Service::start(const std::string& command, ProgramStart program) {
  PGO_TRY(TemporaryDirectory directory, TemporaryDirectory::make());
  std::unique_ptr<Service> service(new Service(command, std::move(directory)));
  auto create = [&](const char* name) {
    return ::open(service->directory_.file(name).c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  };
  UniqueFd output(create("output")), error(create("error"));
  if (output.fd < 0 || error.fd < 0)
    return io_failure(service->directory_.path(), "cannot create a file for the server's output");
  program.output = output.fd;
  program.error = error.fd;
  PGO_TRY(pid_t started, start_program(program, service->termination_));
  (void)started;  // it is found below this process, like what it starts
  return service;
}

// As a program that is ended: it may remove what it has lying around, if it is quick.
Service::~Service() {
  tree_.send(SIGTERM);
  (void)tree_.wait_for_end(kTimeToTidyUp);
}

Failure Service::failure(const std::string& what, const std::string& advice) const {
  ProcessResult printed;
  printed.output = end_of_file(directory_.file("output"));
  printed.error = end_of_file(directory_.file("error"));
  return fail(ErrorKind::kMismatch, command_ + ": " + what + ": " + stderr_tail(printed), advice);
}

Result<void> Service::wait_for(std::chrono::milliseconds time) const {
  pollfd waiting{termination_.fd(), POLLIN, 0};
  ::poll(&waiting, 1, static_cast<int>(time.count()));
  if (!termination_.any()) return ok();
  return fail(ErrorKind::kIo, command_ + " was stopped, because pgo was asked to stop");
}

Result<void> Service::wait_until_ready(const ServiceRequest& request) {
  const auto end = std::chrono::steady_clock::now() + request.ready_timeout;
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        end - std::chrono::steady_clock::now());
    if (left.count() <= 0)
      return failure("the server was not ready within " + time_text(request.ready_timeout) + " (" +
                     request.ready + ")");
    PGO_TRY(ProcessResult asked, run_subprocess_within(left, shell_command(request.ready)));
    if (!tree_.any_alive()) return failure("the server ended before it was ready");
    if (asked.exit_status == 0 && !asked.timed_out) return ok();
    PGO_CHECK(wait_for(kBetweenTrials));
  }
}

Result<ProcessResult> Service::load(const std::string& command) {
  PGO_TRY(ProcessResult finished, run_subprocess(shell_command(command)));
  if (!tree_.any_alive()) return failure("the server ended during the load");
  PGO_CHECK(check_success(command, finished));
  const uint64_t failed = failed_requests(finished.output);
  if (failed == 0) return finished;
  const bool is_ab = finished.output.find("Failed requests:") != std::string::npos;
  return failure(std::to_string(failed) + " requests failed (" + command + ")",
                 is_ab ? "ab also counts responses of another length than the first as failed; "
                         "with its option -l it does not"
                       : "");
}

void Service::stop(const ServiceRequest& request, Diagnostics& diagnostics) {
  tree_.send(request.stop_signal);
  const bool ended = tree_.wait_for_end(request.stop_timeout);
  if (ended) return;
  tree_.end_all();
  diagnostics.warn("killed-server", command_ + ": the server did not end within " +
                                        time_text(request.stop_timeout) + " of the signal " +
                                        signal_name(request.stop_signal) +
                                        " and was killed; choose the signal with \xFF{stop}");
}

Result<Turn> run_service(const std::string& command, const ServiceRequest& request) {
  PGO_TRY(std::unique_ptr<Service> service, Service::start(command, {shell_command(command)}));
  PGO_CHECK(service->wait_until_ready(request));
  PGO_CHECK(service->load(request.load));  // warms up
  const ProcessTimes before = service->times();
  PGO_TRY(ProcessResult load, service->load(request.load));
  const ProcessTimes after = service->times();
  Turn turn;
  turn.cpu = after.cpu - before.cpu;
  turn.user = std::max(0.0, after.user - before.user);
  turn.system = std::max(0.0, after.system - before.system);
  turn.wall = load.usage.wall;
  turn.peak_memory = after.peak_memory;
  turn.requests = done_requests(load.output);
  turn.load = read_load_figures(load.output);
  service->stop(request, turn.diagnostics);
  return turn;
}

}  // namespace pgo
