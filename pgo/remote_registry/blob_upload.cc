#include "pgo/remote_registry/blob_upload.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "pgo/net/http_url.h"
#include "pgo/remote_registry/next_page.h"

namespace pgo {
namespace {

constexpr unsigned kMaxSetbacks = 5;  // of an upload in parts
constexpr unsigned kMaxUploads = 3;   // of a blob
constexpr const char* kBinary = "application/octet-stream";

// How many bytes a registry has, by "Range: 0-<last>" of an upload's state; nothing where the
// header says nothing of that.
std::optional<uint64_t> received_by(const net::HttpResponse& answer) {
  const std::string& range = answer.header("range");
  uint64_t last = 0;
  if (!range.starts_with("0-")) return std::nullopt;
  const char* end = range.data() + range.size();
  auto [stop, error] = std::from_chars(range.data() + 2, end, last);
  if (error != std::errc() || stop != end) return std::nullopt;
  return last == 0 ? 0 : last + 1;  // "0-0" is what registries say of none, and of one
}

class Upload {
 public:
  Upload(RegistrySession& session, const std::string& digest, Bytes bytes)
      : session_(session), digest_(digest), bytes_(bytes) {}

  Result<void> run() {
    PGO_CHECK(begin());
    const size_t part = session_.options().upload_part;
    if (bytes_.size() > part) PGO_CHECK(send_parts(part));
    return finish(bytes_.size() > part ? Bytes() : bytes_);
  }
  // Did run() fail because the registry has something else of this upload than was sent, or
  // nothing?
  bool is_lost() const { return is_lost_; }

 private:
  Result<void> begin() {
    PGO_TRY(const net::HttpResponse answer,
            session_.send({.method = "POST", .url = session_.url("/blobs/uploads/")}));
    if (answer.status != 202) return session_.refusal(answer, "an upload");
    PGO_TRY(const net::HttpUrl asked, net::parse_http_url(session_.url("/blobs/uploads/")));
    location_ = asked;
    return take_location(answer);
  }

  // Where the next request of this upload goes. It has the registry's credentials, so no other
  // server gets it.
  Result<void> take_location(const net::HttpResponse& answer) {
    const std::string& location = answer.header("location");
    if (location.empty()) return ok();
    PGO_TRY(net::HttpUrl next, resolve_location(location, location_));
    if (next.origin() != location_.origin())
      return fail(ErrorKind::kIo,
                  session_.name() + ": wants an upload to go to another server, " + next.origin());
    location_ = std::move(next);
    return ok();
  }

  Result<void> send_parts(size_t part) {
    uint64_t sent = 0;
    unsigned setbacks = 0;
    while (sent < bytes_.size()) {
      const Bytes next = bytes_.subspan(sent, std::min<uint64_t>(part, bytes_.size() - sent));
      const std::string range = std::to_string(sent) + "-" + std::to_string(sent + next.size() - 1);
      Result<net::HttpResponse> answer =
          session_.send({.method = "PATCH",
                         .url = location_.text(),
                         .headers = {{"Content-Type", kBinary}, {"Content-Range", range}},
                         .body = std::string(as_text(next)),
                         .shown = shown()});
      if (answer && answer->status == 202) {
        sent += next.size();
        PGO_CHECK(take_location(*answer));
        continue;
      }
      // Broken off, or sent twice: the registry says how far it came.
      if (++setbacks > kMaxSetbacks) {
        if (!answer) return fail(answer.error());
        return refusal(*answer, "an upload");
      }
      PGO_TRY(sent, ask_for_state());
    }
    return ok();
  }

  Result<uint64_t> ask_for_state() {
    PGO_TRY(const net::HttpResponse answer,
            session_.send({.url = location_.text(), .shown = shown()}));
    if (answer.status != 204) return refusal(answer, "an upload that broke off");
    PGO_CHECK(take_location(answer));
    const std::optional<uint64_t> received = received_by(answer);
    if (received && *received <= bytes_.size()) return *received;
    return fail(ErrorKind::kIo, session_.name() + ": does not say how much of an upload it has");
  }

  Result<void> finish(Bytes rest) {
    net::HttpUrl url = location_;
    url.query += (url.query.empty() ? "" : "&") + ("digest=" + digest_);
    PGO_TRY(const net::HttpResponse answer, session_.send({.method = "PUT",
                                                           .url = url.text(),
                                                           .headers = {{"Content-Type", kBinary}},
                                                           .body = std::string(as_text(rest)),
                                                           .shown = shown()}));
    if (answer.status != 201) return refusal(answer, "the blob " + digest_);
    return ok();
  }

  Failure refusal(const net::HttpResponse& answer, std::string_view what) {
    is_lost_ = answer.status == 400 || answer.status == 404 || answer.status == 416;
    return session_.refusal(answer, what);
  }

  std::string shown() const { return session_.name() + ": the blob " + digest_; }

  RegistrySession& session_;
  const std::string& digest_;
  Bytes bytes_;
  net::HttpUrl location_;
  bool is_lost_ = false;
};

}  // namespace

Result<void> upload_blob(RegistrySession& session, const std::string& digest, Bytes bytes) {
  for (unsigned count = 1;; count++) {
    Upload upload(session, digest, bytes);
    Result<void> outcome = upload.run();
    if (outcome || !upload.is_lost() || count == kMaxUploads) return outcome;
    // Perhaps it was only the last answer that did not arrive.
    PGO_TRY(const net::HttpResponse answer,
            session.send({.method = "HEAD", .url = session.url("/blobs/" + digest)}));
    if (answer.status == 200) return ok();
  }
}

}  // namespace pgo
