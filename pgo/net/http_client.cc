#include "pgo/net/http_client.h"

#include <curl/curl.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "pgo/base/number_text.h"
#include "pgo/base/shown_url.h"
#include "pgo/net/http_exchange.h"
#include "pgo/net/retry_pause.h"

namespace pgo::net {
namespace {

using std::chrono::steady_clock;

Result<void> check(CURLMcode code) {
  if (code == CURLM_OK) return ok();
  return fail(ErrorKind::kInternal, std::string("libcurl: ") + curl_multi_strerror(code));
}

constexpr int kLongestPoll = 500;  // milliseconds; time-outs are looked at as often

// Keeps the body in memory.
class MemoryTransfer : public HttpTransfer {
 public:
  MemoryTransfer(MemoryRequest request, uint64_t max_body)
      : request_(std::move(request.request)), take_(std::move(request.take)), max_body_(max_body) {}

  Result<HttpRequest> request() override { return request_; }

  Result<void> begin(const HttpResponse& headers) override {
    body_.clear();
    const std::string& encoding = headers.header("content-encoding");
    if (encoding.empty() || encoding == "identity") return ok();
    return fail(ErrorKind::kUnsupported,
                shown() + ": the answer has a Content-Encoding that was not asked for");
  }

  Result<void> append(Bytes body) override {
    if (body.size() > max_body_ - body_.size())
      return fail(ErrorKind::kInput,
                  shown() + ": the answer is larger than " + format_size(max_body_));
    body_ += as_text(body);
    return ok();
  }

  void end(Result<HttpResponse> outcome) override {
    if (outcome && outcome->is_success()) outcome->body = std::move(body_);
    take_(std::move(outcome));
  }

 private:
  std::string shown() const {
    if (!request_.shown.empty()) return request_.shown;
    Result<HttpUrl> url = parse_http_url(request_.url);
    return url ? url->shown() : url_without_secrets(request_.url);
  }

  HttpRequest request_;
  std::function<void(Result<HttpResponse>)> take_;
  uint64_t max_body_;
  std::string body_;
};

}  // namespace

class HttpClient::Loop {
 public:
  explicit Loop(HttpOptions options)
      : options_(std::move(options)), multi_(curl_multi_init()), random_(std::random_device()()) {}

  const HttpOptions& options() const { return options_; }
  void run(const std::function<std::unique_ptr<HttpTransfer>()>& next);

 private:
  using Exchanges = std::vector<std::unique_ptr<HttpExchange>>;
  using NextTransfer = std::function<std::unique_ptr<HttpTransfer>()>;

  Result<void> run_all(const NextTransfer& next);
  void take_step(HttpExchange& exchange, HttpExchange::Step step);
  void wait_for_retry(HttpExchange& exchange);
  void end(HttpExchange& exchange);
  Result<void> finish_transfers();
  Result<void> stop_all();
  bool is_over() const;
  void start_waiting();
  int poll_time() const;

  struct FreeMulti {
    void operator()(CURLM* multi) const { curl_multi_cleanup(multi); }
  };
  HttpOptions options_;
  std::unique_ptr<CURLM, FreeMulti> multi_;
  std::minstd_rand random_;
  Exchanges exchanges_;  // that have not ended
  bool is_running_ = false;
};

void HttpClient::Loop::run(const NextTransfer& next) {
  Result<void> outcome = fail(ErrorKind::kInternal, "a transfer uses the client that runs it");
  if (!is_running_) {
    is_running_ = true;
    outcome = run_all(next);
    for (const auto& exchange : exchanges_) {
      curl_multi_remove_handle(multi_.get(), exchange->handle());
      exchange->give_up(outcome.error());
      exchange->end();
    }
    exchanges_.clear();
    is_running_ = false;
    if (outcome) return;
  }
  while (std::unique_ptr<HttpTransfer> transfer = next()) transfer->end(fail(outcome.error()));
}

Result<void> HttpClient::Loop::run_all(const NextTransfer& next) {
  if (!multi_) return fail(ErrorKind::kInternal, "libcurl cannot make a handle for many transfers");
  const size_t room = std::max(1u, options_.parallel);
  PGO_CHECK(check(curl_multi_setopt(multi_.get(), CURLMOPT_MAXCONNECTS, static_cast<long>(room))));
  for (bool has_more = true;;) {
    while (has_more && exchanges_.size() < room) {
      std::unique_ptr<HttpTransfer> transfer = next();
      has_more = transfer != nullptr;
      if (!has_more) break;
      exchanges_.push_back(std::make_unique<HttpExchange>(std::move(transfer), options_));
      take_step(*exchanges_.back(), exchanges_.back()->prepare());
    }
    if (exchanges_.empty() && !has_more) return ok();
    int running = 0;
    PGO_CHECK(check(curl_multi_perform(multi_.get(), &running)));
    PGO_CHECK(finish_transfers());
    start_waiting();
    if (exchanges_.size() < room && has_more) continue;
    if (exchanges_.empty()) continue;
    PGO_CHECK(check(curl_multi_poll(multi_.get(), nullptr, 0, poll_time(), nullptr)));
  }
}

// After this, an exchange that has ended is gone.
void HttpClient::Loop::take_step(HttpExchange& exchange, HttpExchange::Step step) {
  switch (step) {
    case HttpExchange::Step::kSend: {
      if (is_over()) {
        exchange.stop();
        return end(exchange);
      }
      const Result<void> added = check(curl_multi_add_handle(multi_.get(), exchange.handle()));
      if (added) return;
      exchange.give_up(added.error());
      return end(exchange);
    }
    case HttpExchange::Step::kRetried: return wait_for_retry(exchange);
    case HttpExchange::Step::kEnd: return end(exchange);
  }
}

void HttpClient::Loop::wait_for_retry(HttpExchange& exchange) {
  const double jitter = std::uniform_real_distribution<double>(0, 1)(random_);
  const double pause =
      exchange.asked_pause().value_or(pause_after(exchange.tries(), jitter, options_));
  if (exchange.tries() >= options_.tries || pause > options_.longest_pause || is_over())
    return end(exchange);
  exchange.is_waiting = true;
  exchange.next_try = options_.now() + std::chrono::duration_cast<steady_clock::duration>(
                                           std::chrono::duration<double>(pause));
}

void HttpClient::Loop::end(HttpExchange& exchange) {
  exchange.end();
  std::erase_if(exchanges_, [&](const auto& other) { return other.get() == &exchange; });
}

// Those that libcurl has done with, and those that take too long.
Result<void> HttpClient::Loop::finish_transfers() {
  int left = 0;
  while (const CURLMsg* message = curl_multi_info_read(multi_.get(), &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    CURL* handle = message->easy_handle;
    const CURLcode code = message->data.result;
    char* data = nullptr;
    curl_easy_getinfo(handle, CURLINFO_PRIVATE, &data);
    PGO_CHECK(check(curl_multi_remove_handle(multi_.get(), handle)));
    auto* exchange = static_cast<HttpExchange*>(static_cast<void*>(data));
    take_step(*exchange, exchange->finish(code));
  }
  const SteadyTime now = options_.now();
  std::vector<std::pair<HttpExchange*, Error>> overdue;
  for (const auto& exchange : exchanges_) {
    if (exchange->is_waiting) continue;
    if (std::optional<Error> error = exchange->overdue(now))
      overdue.emplace_back(exchange.get(), *std::move(error));
  }
  for (auto& [exchange, error] : overdue) {
    PGO_CHECK(check(curl_multi_remove_handle(multi_.get(), exchange->handle())));
    take_step(*exchange, exchange->finish_overdue(std::move(error)));
  }
  return is_over() ? stop_all() : ok();
}

bool HttpClient::Loop::is_over() const {
  const std::optional<SteadyTime> end = options_.ends_at ? options_.ends_at() : std::nullopt;
  return end && *end <= options_.now();
}

// One that waits for its next try has the outcome of the latest.
Result<void> HttpClient::Loop::stop_all() {
  for (const auto& exchange : exchanges_) {
    if (!exchange->is_waiting) {
      PGO_CHECK(check(curl_multi_remove_handle(multi_.get(), exchange->handle())));
      exchange->stop();
    }
    exchange->end();
  }
  exchanges_.clear();
  return ok();
}

void HttpClient::Loop::start_waiting() {
  const SteadyTime now = options_.now();
  std::vector<HttpExchange*> due;
  for (const auto& exchange : exchanges_)
    if (exchange->is_waiting && exchange->next_try <= now) due.push_back(exchange.get());
  for (HttpExchange* exchange : due) {
    exchange->is_waiting = false;
    take_step(*exchange, exchange->prepare());
  }
}

int HttpClient::Loop::poll_time() const {
  const SteadyTime now = options_.now();
  double longest =
      std::min({kLongestPoll / 1000.0, options_.stall_timeout / 4, options_.total_timeout / 4});
  for (const auto& exchange : exchanges_)
    if (exchange->is_waiting)
      longest = std::min(longest, std::chrono::duration<double>(exchange->next_try - now).count());
  return std::max(1, static_cast<int>(longest * 1000));
}

HttpClient::HttpClient(HttpOptions options) : loop_(std::make_unique<Loop>(std::move(options))) {}
HttpClient::HttpClient(HttpClient&& other) noexcept = default;
HttpClient& HttpClient::operator=(HttpClient&& other) noexcept = default;
HttpClient::~HttpClient() = default;

const HttpOptions& HttpClient::options() const { return loop_->options(); }

void HttpClient::run(const std::function<std::unique_ptr<HttpTransfer>()>& next) {
  loop_->run(next);
}

void HttpClient::run_in_memory(const std::function<std::optional<MemoryRequest>()>& next) {
  for (bool has_more = true; has_more;) {
    has_more = false;
    run([&]() -> std::unique_ptr<HttpTransfer> {
      std::optional<MemoryRequest> request = next();
      if (!request) return nullptr;
      has_more = true;
      return std::make_unique<MemoryTransfer>(*std::move(request), options().max_body);
    });
  }
}

Result<HttpResponse> HttpClient::send(HttpRequest request) {
  Result<HttpResponse> outcome = fail(ErrorKind::kInternal, "a request has no outcome");
  std::optional<MemoryRequest> only = MemoryRequest{
      std::move(request), [&](Result<HttpResponse> answer) { outcome = std::move(answer); }};
  run_in_memory([&] { return std::exchange(only, std::nullopt); });
  return outcome;
}

}  // namespace pgo::net
