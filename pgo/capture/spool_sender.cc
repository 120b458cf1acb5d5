#include "pgo/capture/spool_sender.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace pgo {
namespace {

constexpr int64_t kSecondLong = 1'000'000'000;
constexpr int64_t kFirstPause = 10 * kSecondLong, kLongestPause = 300 * kSecondLong;
// systemd kills a service 90 seconds after it has asked it to end, Kubernetes 30.
constexpr int64_t kTimeAtEnd = 20 * kSecondLong;

}  // namespace

Result<void> SpoolSender::send_profile(const std::string& name) {
  PGO_TRY(const Labels labels, spool_.labels_of(name));
  PGO_TRY(const Diagnostics diagnostics, host_.send(spool_.path_of(name), labels));
  for (const auto& [kind, entry] : diagnostics.entries())
    for (const std::string& message : entry.messages) warn_(message);
  return ok();
}

Result<SendRound> SpoolSender::send() {
  SendRound round;
  const std::vector<SpooledProfile> waiting = spool_.profiles();
  unsigned failures = 0;
  const int64_t begin = host_.now();
  for (const SpooledProfile& profile : waiting) {
    if (host_.is_asked_to_end() && host_.now() - begin > kTimeAtEnd) break;
    Result<void> sent = send_profile(profile.name);
    if (sent) {
      PGO_CHECK(spool_.settle(profile.name, Settled::kStored));
      round.stored++;
      failures = 0;
      continue;
    }
    round.error = sent.error();
    if (++failures == 2 || host_.is_asked_to_end()) break;
  }
  pause_ = !round.error ? 0 : std::clamp(2 * pause_, kFirstPause, kLongestPause);
  retry_at_ = host_.now() + pause_;
  return round;
}

std::optional<int64_t> SpoolSender::next_round() const {
  if (spool_.profiles().empty()) return std::nullopt;
  return retry_at_;
}

}  // namespace pgo
