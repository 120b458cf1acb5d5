#include "log_generator.h"

#include <cstdio>

namespace logrules {
namespace {

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15 + 1) {}
  uint64_t below(uint64_t n) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return (state_ >> 11) % n;
  }
  // Small numbers are likelier, as they are among users and paths.
  uint64_t skewed(uint64_t n) { return below(below(n) + 1); }
  template <size_t N>
  const char* pick(const char* const (&items)[N]) {
    return items[skewed(N)];
  }

 private:
  uint64_t state_;
};

const char* level(Random& random, uint64_t errors_per_thousand) {
  uint64_t dice = random.below(1000);
  if (dice < errors_per_thousand) return "ERROR";
  if (dice < errors_per_thousand * 4) return "WARN";
  return dice > 950 ? "DEBUG" : "INFO";
}

std::string number(uint64_t value) { return std::to_string(value); }

std::string web_line(Random& random) {
  static constexpr const char* kServices[] = {"gateway", "catalog", "cart", "checkout", "search"};
  static constexpr const char* kMethods[] = {"GET", "POST", "PUT", "DELETE"};
  static constexpr const char* kPaths[] = {"/api/items/",  "/static/img/", "/api/cart/",
                                           "/api/orders/", "/search/",     "/login/"};
  static constexpr const char* kStatuses[] = {"200", "200", "304", "404", "302", "500", "503"};
  return std::string(level(random, 10)) + " " + random.pick(kServices) +
         " method=" + random.pick(kMethods) + " path=" + random.pick(kPaths) +
         number(random.skewed(400)) + " status=" + random.pick(kStatuses) +
         " latency=" + number(random.skewed(400)) + "." + number(random.below(100)) +
         "ms bytes=" + number(random.skewed(90000)) + " user=u" + number(random.skewed(3000)) +
         " trace=" + number(random.below(1u << 30));
}

std::string jobs_line(Random& random) {
  static constexpr const char* kServices[] = {"import", "invoice", "mail", "thumbnails"};
  static constexpr const char* kMessages[] = {"done", "retry after timeout", "queue is full",
                                              "partner answered \\\"later\\\""};
  return std::string(level(random, 60)) + " " + random.pick(kServices) +
         " duration=" + number(random.skewed(90)) + "s size=" + number(random.skewed(5000)) +
         "K message=\"" + random.pick(kMessages) + "\" worker=" + number(random.below(32));
}

std::string database_line(Random& random) {
  static constexpr const char* kServices[] = {"db1", "db2", "db3"};
  static constexpr const char* kTables[] = {"items", "orders", "users", "carts"};
  return std::string(level(random, 20)) + " " + random.pick(kServices) +
         " latency=" + number(random.skewed(20000)) + "us message=\"select * from " +
         random.pick(kTables) + " where id = " + number(random.skewed(5000)) + "\"";
}

}  // namespace

std::optional<Workload> workload_named(std::string_view name) {
  if (name == "web") return Workload::kWeb;
  if (name == "jobs") return Workload::kJobs;
  if (name == "database") return Workload::kDatabase;
  return std::nullopt;
}

std::string generate_log(Workload workload, uint64_t lines, uint64_t seed) {
  Random random(seed);
  std::string log;
  uint64_t time = 0;
  for (uint64_t i = 0; i < lines; i++) {
    time = (time + random.below(50)) % 86'400'000;
    char stamp[32];
    std::snprintf(stamp, sizeof stamp, "%02u:%02u:%02u.%03u ",
                  static_cast<unsigned>(time / 3'600'000),
                  static_cast<unsigned>(time / 60'000 % 60),
                  static_cast<unsigned>(time / 1000 % 60), static_cast<unsigned>(time % 1000));
    log += stamp;
    if (random.below(5000) == 0) {
      log += "??? broken line";
    } else if (workload == Workload::kWeb) {
      log += web_line(random);
    } else if (workload == Workload::kJobs) {
      log += jobs_line(random);
    } else {
      log += database_line(random);
    }
    log += '\n';
  }
  return log;
}

}  // namespace logrules
