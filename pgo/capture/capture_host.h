// CaptureHost: what the loop of capture() does to the machine that it runs on. Tests have one with
// a clock that they set.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pgo/base/diagnostics.h"
#include "pgo/base/result.h"
#include "pgo/capture/recorded_profile.h"
#include "pgo/capture/service_cpu.h"
#include "pgo/capture/service_processes.h"
#include "pgo/capture/spool.h"

namespace pgo {

// What one recording gave: with branch records there is a second one, of clock samples.
struct HostRecording {
  int64_t begin = 0, end = 0;  // nanoseconds since 1970
  RecordedProfile profile;
  std::optional<RecordedProfile> clock_profile;
};

class CaptureHost {
 public:
  CaptureHost() = default;
  CaptureHost(const CaptureHost&) = delete;
  CaptureHost& operator=(const CaptureHost&) = delete;
  virtual ~CaptureHost() = default;

  virtual int64_t now() const = 0;  // nanoseconds since 1970
  // Until then, or until somebody asks this process to end; also less, when the clock is set
  // meanwhile.
  virtual void wait_until(int64_t time) = 0;
  virtual bool is_asked_to_end() const = 0;
  // Was it asked kTimeAtEnd ago? Then nothing more is begun.
  virtual bool is_time_over() const = 0;
  virtual bool is_paused() const = 0;
  // Of this process and of those that it waited for, in seconds so far.
  virtual double cpu_time() const = 0;

  virtual Result<std::vector<ServiceProcess>> find_processes() const = 0;
  // Of the service, which has these processes.
  virtual std::vector<CpuCounter> cpu_counters(const std::vector<ServiceProcess>&) const = 0;
  // `directory` is for what is written meanwhile. Ends early when this process is asked to end.
  virtual Result<HostRecording> record(const std::vector<ServiceProcess>& processes,
                                       const std::string& directory) = 0;
  // Into the store. `labels` are those of the profile.
  virtual Result<Diagnostics> send(const std::string& path, const Labels& labels) = 0;
};

}  // namespace pgo
