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

// Of the spool, what was not tried yet, and then what failed; the oldest first.
std::vector<std::string> SpoolSender::names_in_order() const {
  std::vector<std::string> names;
  for (const SpooledProfile& profile : spool_.profiles()) names.push_back(profile.name);
  std::stable_partition(names.begin(), names.end(),
                        [&](const std::string& name) { return !failed_.contains(name); });
  return names;
}

Result<SendRound> SpoolSender::send() {
  SendRound round;
  const std::vector<std::string> waiting = names_in_order();
  std::erase_if(failed_, [&](const std::string& name) {
    return std::find(waiting.begin(), waiting.end(), name) == waiting.end();
  });
  unsigned failures = 0;
  const int64_t begin = host_.now();
  for (const std::string& name : waiting) {
    if (host_.is_asked_to_end() && host_.now() - begin > kTimeAtEnd) break;
    Result<void> sent = send_profile(name);
    if (sent) {
      failed_.erase(name);
      PGO_CHECK(spool_.settle(name, Settled::kStored));
      round.stored++;
      failures = 0;
      continue;
    }
    failed_.insert(name);
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
