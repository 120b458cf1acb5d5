// DebuginfodServer: a server of elfutils' debuginfod, which has executables and debug files by
// their build IDs:
//
//   GET URL/buildid/<build ID>/executable
//   GET URL/buildid/<build ID>/debuginfo
//
// It answers 404 for what it does not have, and needs no key; one behind a proxy that asks for a
// password takes it from ~/.netrc. It cannot be asked which builds it has, and knows nothing but
// GET. Whether the file is of this build is for the caller to check.
//
//   PGO_TRY(DebuginfodServer server, DebuginfodServer::open("https://debuginfod.example.com", {}));
//   PGO_TRY(BlobWriter writer, cache.write());
//   PGO_TRY(const bool is_there, server.fetch(id, DebuginfodFile::kExecutable, writer));
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pgo/base/build_id.h"
#include "pgo/base/result.h"
#include "pgo/net/http_client.h"
#include "pgo/net/http_url.h"
#include "pgo/source/blob_cache.h"

namespace pgo::debuginfod {

enum class DebuginfodFile : uint8_t { kExecutable, kDebuginfo };

inline constexpr uint64_t kMaxDebuginfodFile = uint64_t{64} << 30;

class DebuginfodServer {
 public:
  // `url`: http: or https:, perhaps with a path. Errors: kUsage.
  static Result<DebuginfodServer> open(std::string_view url, const net::HttpOptions& http,
                                       uint64_t max_file = kMaxDebuginfodFile);

  // The URL of the server, or of a file, without secrets.
  const std::string& name() const { return name_; }
  std::string place(const BuildId& id, DebuginfodFile file) const;

  // False: the server does not have it. Errors: those of HttpClient; kIo for another status; kInput
  // for a page instead of a file, and for more than the maximum size.
  Result<bool> fetch(const BuildId& id, DebuginfodFile file, BlobWriter& writer);

 private:
  DebuginfodServer(net::HttpUrl url, const net::HttpOptions& http, uint64_t max_file);

  net::HttpUrl url_;
  std::string name_;
  net::HttpClient client_;
  uint64_t max_file_;
};

// The servers in the value of $DEBUGINFOD_URLS: URLs between spaces. Words such as "ima:enforcing"
// are about signatures of packages, and left out.
std::vector<std::string> debuginfod_urls(std::string_view value);

}  // namespace pgo::debuginfod
