// Service: a server that is started, loaded and stopped; and run_service(), one turn of it.
//
//   ServiceRequest request{.ready = "curl -sf localhost:8080", .load = "h2load -n 10000 …"};
//   PGO_TRY(Turn turn, run_service("./server --port 8080", request));
//
// What a load costs is the CPU time of the server's processes between its begin and its end. It
// does not contain the start of the server and the first load, which warms up caches and is not
// measured.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <chrono>
#include <memory>
#include <string>

#include "pgo/base/deferred_termination.h"
#include "pgo/base/process_tree.h"
#include "pgo/base/program_start.h"
#include "pgo/base/result.h"
#include "pgo/base/subprocess.h"
#include "pgo/base/temporary_directory.h"
#include "pgo/paired_runs/turn.h"

namespace pgo {

struct ServiceRequest {
  std::string ready;  // a command that succeeds once the server can be loaded
  std::string load;   // a command that loads it with a fixed amount of work, or counts its requests
  int stop_signal = SIGTERM;
  std::chrono::milliseconds ready_timeout = std::chrono::seconds(60);
  std::chrono::milliseconds stop_timeout = std::chrono::seconds(10);
};

// One at a time. Its end, and a request to end this process, end all processes of the server, also
// those that have become daemons.
class Service {
 public:
  // `command` is its name in messages. Error: kIo.
  static Result<std::unique_ptr<Service>> start(const std::string& command, ProgramStart program);
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;
  ~Service();

  // Errors: kMismatch when the server ends, or is not ready in time; kIo.
  Result<void> wait_until_ready(const ServiceRequest& request);
  // Runs the load. Errors: kMismatch when it fails, or the server ends meanwhile; kIo.
  Result<ProcessResult> load(const std::string& command);
  ProcessTimes times() const { return tree_.times(); }
  // Sends the signal to all processes of the server, and kills what does not end in time, with a
  // warning.
  void stop(const ServiceRequest& request, Diagnostics& diagnostics);

 private:
  Service(const std::string& command, TemporaryDirectory directory)
      : command_(command), directory_(std::move(directory)) {}

  Result<void> wait_for(std::chrono::milliseconds time) const;
  Failure failure(const std::string& what, const std::string& advice = {}) const;

  DeferredTermination termination_;  // outlives what has to be ended and removed
  std::string command_;
  TemporaryDirectory directory_;  // of what the server prints
  ProcessTree tree_;
};

// Starts, warms, loads and stops the server. Errors: those of Service.
Result<Turn> run_service(const std::string& command, const ServiceRequest& request);

}  // namespace pgo
