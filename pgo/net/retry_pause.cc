#include "pgo/net/retry_pause.h"

#include <curl/curl.h>

#include <algorithm>
#include <cmath>
#include <ctime>

namespace pgo::net {

double pause_after(unsigned tries, double jitter, const HttpOptions& options) {
  const double doubled =
      std::ldexp(options.first_pause, static_cast<int>(std::min(tries, 32u)) - 1);
  return std::min(doubled, options.longest_pause) * (1 - jitter / 2);
}

std::optional<double> asked_pause(const HttpResponse& response) {
  const std::string& text = response.header("retry-after");
  if (text.empty() || text.size() > 64) return std::nullopt;
  if (text.find_first_not_of("0123456789") == text.npos) return std::strtod(text.c_str(), nullptr);
  const time_t until = curl_getdate(text.c_str(), nullptr);
  if (until < 0) return std::nullopt;
  const time_t server_time = curl_getdate(response.header("date").c_str(), nullptr);
  const time_t now = server_time < 0 ? std::time(nullptr) : server_time;
  return std::max(0.0, std::difftime(until, now));
}

}  // namespace pgo::net
