#include "pgo/stores/debuginfod/debuginfod_server.h"

#include <algorithm>
#include <charconv>
#include <memory>
#include <utility>

#include "pgo/base/number_text.h"

namespace pgo::debuginfod {
namespace {

std::string_view word_of(DebuginfodFile file) {
  return file == DebuginfodFile::kExecutable ? "executable" : "debuginfo";
}

// Writes the body of one answer into the cache.
class FileTransfer final : public net::HttpTransfer {
 public:
  FileTransfer(net::HttpRequest request, uint64_t max_file, BlobWriter& writer,
               Result<net::HttpResponse>& outcome)
      : request_(std::move(request)), max_file_(max_file), writer_(writer), outcome_(outcome) {}

  Result<net::HttpRequest> request() override { return request_; }

  Result<void> begin(const net::HttpResponse& headers) override {
    if (headers.is_html()) return fail(net::page_error(request_.shown));
    const std::string& encoding = headers.header("content-encoding");
    if (!encoding.empty() && encoding != "identity")
      return fail(ErrorKind::kUnsupported,
                  request_.shown + ": the answer has a Content-Encoding that was not asked for");
    const std::string& length = headers.header("content-length");
    uint64_t size = 0;
    std::from_chars(length.data(), length.data() + length.size(), size);
    if (size > max_file_) return too_large();
    return writer_.restart();
  }

  Result<void> append(Bytes body) override {
    if (body.size() > max_file_ - writer_.size()) return too_large();
    return writer_.append(body);
  }

  void end(Result<net::HttpResponse> outcome) override { outcome_ = std::move(outcome); }

 private:
  Failure too_large() const {
    return fail(ErrorKind::kInput, request_.shown + ": has more than " + format_size(max_file_) +
                                       ", and no more are read");
  }

  const net::HttpRequest request_;
  const uint64_t max_file_;
  BlobWriter& writer_;
  Result<net::HttpResponse>& outcome_;
};

}  // namespace

Result<DebuginfodServer> DebuginfodServer::open(std::string_view url, const net::HttpOptions& http,
                                                uint64_t max_file) {
  PGO_TRY(net::HttpUrl parsed, net::parse_http_url(url));
  if (!parsed.query.empty())
    return fail(ErrorKind::kUsage,
                parsed.shown() + ": the URL of a debuginfod server has no query ('?…')");
  while (parsed.path.ends_with('/')) parsed.path.pop_back();
  return DebuginfodServer(std::move(parsed), http, max_file);
}

DebuginfodServer::DebuginfodServer(net::HttpUrl url, const net::HttpOptions& http,
                                   uint64_t max_file)
    : url_(std::move(url)), name_(url_.shown()), client_(http), max_file_(max_file) {}

std::string DebuginfodServer::place(const BuildId& id, DebuginfodFile file) const {
  return name_ + "/buildid/" + id.hex() + "/" + std::string(word_of(file));
}

Result<bool> DebuginfodServer::fetch(const BuildId& id, DebuginfodFile file, BlobWriter& writer) {
  const std::string shown = place(id, file);
  Result<net::HttpResponse> outcome = fail(ErrorKind::kInternal, "a request has no outcome");
  std::unique_ptr<net::HttpTransfer> only = std::make_unique<FileTransfer>(
      net::HttpRequest{.url = shown, .shown = shown}, max_file_, writer, outcome);
  client_.run([&] { return std::move(only); });
  PGO_TRY(const net::HttpResponse response, std::move(outcome));
  if (response.status == 404) return false;
  if (!response.is_success()) return fail(net::status_error(shown, response));
  return true;
}

std::vector<std::string> debuginfod_urls(std::string_view value) {
  std::vector<std::string> urls;
  while (!value.empty()) {
    const size_t end = std::min(value.find_first_of(" \t\n"), value.size());
    const std::string_view word = value.substr(0, end);
    if (!word.empty() && !word.starts_with("ima:")) urls.emplace_back(word);
    value.remove_prefix(std::min(end + 1, value.size()));
  }
  return urls;
}

}  // namespace pgo::debuginfod
