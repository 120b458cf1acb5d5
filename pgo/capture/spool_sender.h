// SpoolSender: sends what waits in a spool for this store, the oldest first, and tries again later
// when the store is unreachable.
//
//   SpoolSender sender(host, spool, warn);
//   PGO_TRY(SendRound round, sender.send());
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "pgo/base/result.h"
#include "pgo/capture/capture_host.h"
#include "pgo/capture/spool.h"

namespace pgo {

struct SendRound {
  uint64_t stored = 0;
  std::optional<Error> error;  // why it ended before the spool was empty
  // What identifies `error`: its message without the place, which differs from profile to profile.
  std::string reason = {};
};

class SpoolSender {
 public:
  using Warn = std::function<void(const std::string&)>;

  SpoolSender(CaptureHost& host, Spool& spool, Warn warn)
      : host_(host), spool_(spool), warn_(std::move(warn)) {}

  // One round. Two failures in a row end it, because the store is probably away. A profile that the
  // store refuses stays, and does not hold up others: what failed last comes last. When the host
  // is asked to end, one failure ends the round, and so does the end of the host's time. Error: kIo
  // when the spool cannot be written.
  Result<SendRound> send();
  // When the next round should be; nothing while there is nothing to send. Pauses double up to five
  // minutes.
  std::optional<int64_t> next_round() const;
  // Is there a profile that no round has tried?
  bool has_untried() const;

 private:
  std::vector<std::string> names_in_order() const;
  Result<void> send_profile(const std::string& name);

  CaptureHost& host_;
  Spool& spool_;
  Warn warn_;
  std::map<std::string, uint64_t> failed_;  // names of profiles that were tried in vain; the try
  uint64_t tries_ = 0;
  int64_t pause_ = 0, retry_at_ = 0;  // nanoseconds
};

}  // namespace pgo
