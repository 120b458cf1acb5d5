#include "pgo/capture/spool_sender.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace pgo {
namespace {

constexpr int64_t kSecondLong = 1'000'000'000;
constexpr int64_t kFirstPause = 10 * kSecondLong, kLongestPause = 300 * kSecondLong;

// "s3://profiles/KEY: access is denied (403)": without the key.
std::string reason_of(const Error& error) {
  const size_t colon = error.message.find(": ");
  return (colon == error.message.npos ? error.message : error.message.substr(colon)) + error.advice;
}

}  // namespace

Result<void> SpoolSender::send_profile(const std::string& name) {
  PGO_TRY(const Labels labels, spool_.labels_of(name));
  PGO_TRY(const Diagnostics diagnostics, host_.send(spool_.path_of(name), labels));
  for (const auto& [kind, entry] : diagnostics.entries())
    for (const std::string& message : entry.messages) warn_(message);
  return ok();
}

// Of the spool, what was not tried yet, the oldest first, and then what failed, the longest ago
// first: after the store was away, what it refuses for ever does not hold up what it takes.
std::vector<std::string> SpoolSender::names_in_order() const {
  std::vector<std::string> names;
  for (const SpooledProfile& profile : spool_.own_profiles()) names.push_back(profile.name);
  const auto last_try = [&](const std::string& name) {
    const auto found = failed_.find(name);
    return found == failed_.end() ? 0 : found->second;
  };
  std::stable_sort(names.begin(), names.end(), [&](const std::string& a, const std::string& b) {
    return last_try(a) < last_try(b);
  });
  return names;
}

bool SpoolSender::has_untried() const {
  const std::vector<std::string> names = names_in_order();
  return !names.empty() && !failed_.contains(names.front());
}

Result<SendRound> SpoolSender::send() {
  SendRound round;
  const std::vector<std::string> waiting = names_in_order();
  std::erase_if(failed_, [&](const auto& one) {
    return std::find(waiting.begin(), waiting.end(), one.first) == waiting.end();
  });
  unsigned failures = 0;
  for (const std::string& name : waiting) {
    if (host_.is_time_over()) break;
    Result<void> sent = send_profile(name);
    if (sent) {
      failed_.erase(name);
      spool_.note_success(host_.now());
      PGO_CHECK(spool_.settle(name, Settled::kStored));
      round.stored++;
      failures = 0;
      continue;
    }
    failed_[name] = ++tries_;
    round.error = sent.error();
    round.reason = reason_of(*round.error);
    PGO_CHECK(spool_.note_error(host_.now(), round.error->message));
    if (++failures == 2 || host_.is_asked_to_end()) break;
  }
  pause_ = !round.error ? 0 : std::clamp(2 * pause_, kFirstPause, kLongestPause);
  retry_at_ = host_.now() + pause_;
  return round;
}

std::optional<int64_t> SpoolSender::next_round() const {
  if (spool_.own_profiles().empty()) return std::nullopt;
  // If the clock was set back so far that the pause would exceed the longest one, now.
  const int64_t now = host_.now();
  return retry_at_ - now > kLongestPause ? now : retry_at_;
}

}  // namespace pgo
