#include "pgo/store_access/store_api.h"

#include <deque>

namespace pgo::store_access {
namespace {

// In nanoseconds. Servers know times to the millisecond.
constexpr int64_t kSecond = 1'000'000'000, kShortestPart = 60 * kSecond;

}  // namespace

std::optional<std::pair<TimeWindow, TimeWindow>> halves_of(const TimeWindow& window) {
  const int64_t length = window.end - window.begin;
  if (length < 2 * kShortestPart) return std::nullopt;
  const int64_t middle = window.begin + length / 2 / kSecond * kSecond;
  return std::pair(TimeWindow{window.begin, middle}, TimeWindow{middle, window.end});
}

Result<void> ask_windows(const StoreApi& api, net::HttpClient& client, const std::string& method,
                         const std::vector<TimeWindow>& windows, const MessageOf& message_of,
                         const TakeMessage& take) {
  std::deque<TimeWindow> left(windows.begin(), windows.end());
  Result<void> outcome = ok();
  const auto read = [&](const TimeWindow& window,
                        const net::HttpResponse& response) -> Result<void> {
    ApiAnswer answer = api.read(response, api.name());
    if (answer.kind == ApiAnswer::Kind::kNothing) return ok();
    if (answer.kind == ApiAnswer::Kind::kMessage) return take(answer.message, window);
    const auto halves = answer.kind == ApiAnswer::Kind::kTooMuch ? halves_of(window) : std::nullopt;
    if (!halves) return fail(std::move(answer.error));
    left.push_back(halves->first);
    left.push_back(halves->second);
    return ok();
  };
  client.run_in_memory([&]() -> std::optional<net::MemoryRequest> {
    if (left.empty() || !outcome) return std::nullopt;
    const TimeWindow window = left.front();
    left.pop_front();
    return net::MemoryRequest{
        api.request(method, message_of(window)), [&, window](Result<net::HttpResponse> response) {
          Result<void> taken = response ? read(window, *response) : fail(response.error());
          if (outcome) outcome = std::move(taken);
        }};
  });
  return outcome;
}

Result<void> send_message(const StoreApi& api, net::HttpClient& client, const std::string& method,
                          const std::string& message, const std::string& shown) {
  PGO_TRY(const net::HttpResponse response, client.send(api.request(method, message)));
  ApiAnswer answer = api.read(response, shown);
  if (answer.kind == ApiAnswer::Kind::kMessage) return ok();
  return fail(std::move(answer.error));
}

}  // namespace pgo::store_access
