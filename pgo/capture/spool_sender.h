// SpoolSender: sends what waits in a spool to the store, the oldest first, and tries again later
// when the store is away.
//
//   SpoolSender sender(host, spool, warn);
//   PGO_TRY(SendRound round, sender.send());
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "pgo/base/result.h"
#include "pgo/capture/capture_host.h"
#include "pgo/capture/spool.h"

namespace pgo {

struct SendRound {
  uint64_t stored = 0;
  std::optional<Error> error;  // why it ended before the spool was empty
};

class SpoolSender {
 public:
  using Warn = std::function<void(const std::string&)>;

  SpoolSender(CaptureHost& host, Spool& spool, Warn warn)
      : host_(host), spool_(spool), warn_(std::move(warn)) {}

  // One round. A profile that the store refuses stays, and does not hold up others; two failures in
  // a row end the round. When the host is asked to end, so do one failure, and 20 seconds. Error:
  // kIo when the spool cannot be written.
  Result<SendRound> send();
  // When the next round should be; nothing while the spool is empty. Pauses double up to five
  // minutes.
  std::optional<int64_t> next_round() const;

 private:
  Result<void> send_profile(const std::string& name);

  CaptureHost& host_;
  Spool& spool_;
  Warn warn_;
  int64_t pause_ = 0, retry_at_ = 0;  // nanoseconds
};

}  // namespace pgo
