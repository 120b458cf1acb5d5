#include "pgo/cli/arguments/archives.h"

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "pgo/archive/debuginfod_archive.h"
#include "pgo/archive/directory_archive.h"
#include "pgo/archive/object_archive.h"
#include "pgo/archive/registry_archive.h"
#include "pgo/archive/source_archive.h"
#include "pgo/base/shown_url.h"
#include "pgo/source/source_address.h"

#ifdef PRODPGO_NETWORK
#include "pgo/stores/debuginfod/debuginfod_server.h"
#include "pgo/stores/s3/s3_source.h"
#include "pgo/stores/s3/s3_writer.h"
#endif

namespace pgo {
namespace {

constexpr const char* kKnownArchives =
    "a path, dir:PATH, oci-dir:PATH, oci://HOST/REPOSITORY, or s3://BUCKET/PREFIX";
// These are only read.
constexpr const char* kReadableArchives =
    "a path, dir:PATH, oci-dir:PATH, oci://HOST/REPOSITORY, s3://BUCKET/PREFIX, "
    "debuginfod+https://HOST, or debuginfod: (the servers in $DEBUGINFOD_URLS)";
constexpr std::string_view kDebuginfod = "debuginfod:", kDebuginfodPlus = "debuginfod+";

KeepRelease directory_keeper(const std::string& directory) {
  return [directory](const Release& release) { return keep_in_directory(directory, release); };
}

#ifdef PRODPGO_NETWORK
std::string environment_variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? "" : value;
}

class S3Archive final : public ObjectStore {
 public:
  explicit S3Archive(s3::S3Bucket& bucket) : bucket_(bucket), writer_(bucket, {}) {}

  std::string place(const std::string& key) const override {
    return bucket_.address().text() + "/" + key;
  }
  Result<std::optional<ArchivedObject>> find(const std::string& key) override {
    PGO_TRY(const std::optional<s3::KeptObject> found, writer_.find(key));
    if (!found) return std::optional<ArchivedObject>();
    return std::optional<ArchivedObject>(
        {found->size, found->sha256.empty() ? "" : "sha256:" + found->sha256});
  }
  Result<std::string> read_digest(const std::string& key, uint64_t size) override {
    PGO_TRY(const std::string digest, writer_.read_digest(key, size));
    return "sha256:" + digest;
  }
  Result<bool> put_new(const std::string& key, Bytes bytes) override {
    return writer_.put_new(key, bytes, "application/octet-stream");
  }

 private:
  s3::S3Bucket& bucket_;
  s3::S3Writer writer_;
};

Result<KeptRelease> keep_in_s3(const std::string& url, const net::HttpOptions& http,
                               const Release& release) {
  PGO_TRY(s3::S3Address address, s3::parse_s3_url(url));
  PGO_TRY(s3::S3Bucket bucket, s3::S3Bucket::open(address, environment_variable, http));
  S3Archive store(bucket);
  return keep_in_objects(store, release);
}

DebuginfodAccess access_to(debuginfod::DebuginfodServer opened) {
  auto server = std::make_shared<debuginfod::DebuginfodServer>(std::move(opened));
  const auto file_of = [](ReleaseRole role) {
    return role == ReleaseRole::kDebug ? debuginfod::DebuginfodFile::kDebuginfo
                                       : debuginfod::DebuginfodFile::kExecutable;
  };
  return {[server, file_of](const BuildId& id, ReleaseRole role) {
            return server->place(id, file_of(role));
          },
          [server, file_of](const BuildId& id, ReleaseRole role, BlobWriter& writer) {
            return server->fetch(id, file_of(role), writer);
          }};
}

Result<std::unique_ptr<BuildArchive>> open_servers(const std::vector<std::string>& urls,
                                                   const NetworkArguments& arguments,
                                                   const BlobCache& cache) {
  std::string names;
  std::vector<DebuginfodAccess> servers;
  for (const std::string& url : urls) {
    PGO_TRY(debuginfod::DebuginfodServer server,
            debuginfod::DebuginfodServer::open(url, http_options(arguments)));
    names += (names.empty() ? "" : " ") + std::string(kDebuginfodPlus) + server.name();
    servers.push_back(access_to(std::move(server)));
  }
  return open_debuginfod_archive(std::move(names), std::move(servers), cache);
}
#endif

[[maybe_unused]] Failure without_network(const std::string& url) {
  return fail(ErrorKind::kUnsupported,
              url + ": this pgo was built without network (PRODPGO_NETWORK=OFF)",
              "use a directory");
}

Result<KeepRelease> s3_keeper(const std::string& url,
                              [[maybe_unused]] const NetworkArguments& arguments) {
#ifdef PRODPGO_NETWORK
  PGO_TRY([[maybe_unused]] const s3::S3Address address, s3::parse_s3_url(url));
  return KeepRelease([url, http = http_options(arguments)](const Release& release) {
    return keep_in_s3(url, http, release);
  });
#else
  return without_network(url);
#endif
}

Result<std::unique_ptr<BuildArchive>> open_s3_archive(
    const std::string& url, [[maybe_unused]] const NetworkArguments& arguments,
    [[maybe_unused]] const BlobCache& cache) {
#ifdef PRODPGO_NETWORK
  PGO_TRY(const s3::S3Address address, s3::parse_s3_url(url));
  return open_source_archive(
      address.text(),
      [root = address.text(), http = http_options(arguments)](const std::string& folder) {
        return s3::open_s3_source(folder.empty() ? root : root + "/" + folder, environment_variable,
                                  http);
      },
      cache);
#else
  return without_network(url);
#endif
}

// `from`: "debuginfod:", or "debuginfod+" and a URL.
Result<std::unique_ptr<BuildArchive>> open_debuginfod(
    const std::string& from, [[maybe_unused]] const NetworkArguments& arguments,
    [[maybe_unused]] const BlobCache& cache) {
#ifdef PRODPGO_NETWORK
  if (from != kDebuginfod)
    return open_servers({from.substr(kDebuginfodPlus.size())}, arguments, cache);
  const std::vector<std::string> urls =
      debuginfod::debuginfod_urls(environment_variable("DEBUGINFOD_URLS"));
  if (!urls.empty()) return open_servers(urls, arguments, cache);
  return fail(ErrorKind::kUsage, from + ": $DEBUGINFOD_URLS names no server",
              "set it, or name a server: debuginfod+https://HOST");
#else
  return without_network(url_without_secrets(from));
#endif
}

bool is_debuginfod(std::string_view text) {
  return text == kDebuginfod || text.starts_with("debuginfod+http://") ||
         text.starts_with("debuginfod+https://");
}

Failure unknown_archive(const std::string& shown, const char* known) {
  return fail(ErrorKind::kUsage, shown + ": names no archive", std::string("name ") + known);
}

Result<void> check_named(const std::string& archive, const char* known) {
  if (!archive.empty()) return ok();
  return fail(ErrorKind::kUsage, "the archive has no name", std::string("name ") + known);
}

Result<std::unique_ptr<BuildArchive>> open_directory(const std::string& directory,
                                                     const std::string& name) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(directory, ignored))
    return fail(ErrorKind::kInput, name + ": there is no such directory",
                "check the path; 'pgo archive' makes it");
  return open_directory_archive(directory, name);
}

}  // namespace

Result<KeepRelease> archive_keeper(const std::string& to, const RegistryArguments& arguments) {
  PGO_CHECK(check_named(to, kKnownArchives));
  if (is_debuginfod(to))
    return fail(ErrorKind::kUsage, url_without_secrets(to) + ": a debuginfod server is only read",
                "archive into a directory that it scans (debuginfod -F PATH)");
  if (is_reference(to)) {
    PGO_TRY(RegistryReference reference, parse_reference(to));
    return KeepRelease([reference, open = registry_opener(arguments)](const Release& release) {
      return keep_in_registry(reference, open, release);
    });
  }
  const std::optional<SourceAddress> address = parse_source_address(to);
  if (!address && looks_like_address(to))
    return unknown_archive(url_without_secrets(to), kKnownArchives);
  if (!address) return directory_keeper(to);
  if (address->scheme == "dir" && !address->rest.empty()) return directory_keeper(address->rest);
  if (address->scheme == "s3") return s3_keeper(to, arguments.network);
  return unknown_archive(address->shown, kKnownArchives);
}

Result<std::unique_ptr<BuildArchive>> open_archive(const std::string& from,
                                                   const RegistryArguments& arguments,
                                                   const BlobCache& cache) {
  PGO_CHECK(check_named(from, kReadableArchives));
  if (is_debuginfod(from)) return open_debuginfod(from, arguments.network, cache);
  if (is_reference(from)) {
    PGO_TRY(const RegistryReference reference, parse_reference(from));
    return open_registry_archive(reference, registry_opener(arguments), cache);
  }
  const std::optional<SourceAddress> address = parse_source_address(from);
  if (!address && looks_like_address(from))
    return unknown_archive(url_without_secrets(from), kReadableArchives);
  if (!address) return open_directory(from, from);
  if (address->scheme == "dir" && !address->rest.empty())
    return open_directory(address->rest, from);
  if (address->scheme == "s3") return open_s3_archive(from, arguments.network, cache);
  return unknown_archive(address->shown, kReadableArchives);
}

}  // namespace pgo
