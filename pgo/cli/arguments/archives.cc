#include "pgo/cli/arguments/archives.h"

#include <cstdlib>
#include <optional>

#include "pgo/archive/directory_archive.h"
#include "pgo/archive/registry_archive.h"
#include "pgo/source/source_address.h"

#ifdef PRODPGO_NETWORK
#include "pgo/stores/s3/s3_writer.h"
#endif

namespace pgo {
namespace {

constexpr const char* kKnownArchives =
    "a path, dir:PATH, oci-dir:PATH, oci://HOST/REPOSITORY, or s3://BUCKET/PREFIX";

KeepRelease directory_keeper(const std::string& directory) {
  return [directory](const Release& release) { return keep_in_directory(directory, release); };
}

#ifdef PRODPGO_NETWORK
std::string environment_variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? "" : value;
}

// Objects PREFIX/<build ID>/{executable,debug,prebolt}.
Result<KeptRelease> keep_in_s3(const std::string& url, const net::HttpOptions& http,
                               const Release& release) {
  PGO_TRY(s3::S3Address address, s3::parse_s3_url(url));
  PGO_TRY(s3::S3Bucket bucket, s3::S3Bucket::open(address, environment_variable, http));
  s3::S3Writer writer(bucket, {});
  KeptRelease kept;
  const std::string folder = release.build_id().hex() + "/";
  for (const ReleaseFile& file : release.files) {
    const std::string key = folder + std::string(role_name(file.role));
    kept.files.push_back(kept_file(file, address.text() + "/" + key));
    PGO_TRY(const std::optional<s3::KeptObject> found, writer.find(key));
    kept.files.back().is_new = !found;
    if (!found) continue;
    const std::string expected = file.digest.substr(file.digest.find(':') + 1);
    if (found->size != file.image.bytes().size() ||
        (!found->sha256.empty() && found->sha256 != expected))
      return other_contents(kept.files.back().place, file,
                            found->sha256.empty() ? std::to_string(found->size) + " bytes"
                                                  : "sha256:" + found->sha256);
  }
  for (size_t i = 0; i < kept.files.size(); i++) {
    if (!kept.files[i].is_new) continue;
    PGO_CHECK(writer.put_with_digest(folder + std::string(role_name(kept.files[i].role)),
                                     release.files[i].image.bytes(), "application/octet-stream"));
  }
  return kept;
}
#endif

Result<KeepRelease> s3_keeper(const std::string& url,
                              [[maybe_unused]] const NetworkArguments& arguments) {
#ifdef PRODPGO_NETWORK
  PGO_TRY([[maybe_unused]] const s3::S3Address address, s3::parse_s3_url(url));
  return KeepRelease([url, http = http_options(arguments)](const Release& release) {
    return keep_in_s3(url, http, release);
  });
#else
  return fail(ErrorKind::kUnsupported,
              url + ": this pgo was built without network (PRODPGO_NETWORK=OFF)",
              "use a directory");
#endif
}

}  // namespace

Result<KeepRelease> archive_keeper(const std::string& to, const RegistryArguments& arguments) {
  if (to.empty())
    return fail(ErrorKind::kUsage, "the archive has no name",
                std::string("name ") + kKnownArchives);
  if (is_reference(to)) {
    PGO_TRY(RegistryReference reference, parse_reference(to));
    return KeepRelease([reference, open = registry_opener(arguments)](const Release& release) {
      return keep_in_registry(reference, open, release);
    });
  }
  const std::optional<SourceAddress> address = parse_source_address(to);
  if (!address) return directory_keeper(to);
  if (address->scheme == "dir" && !address->rest.empty()) return directory_keeper(address->rest);
  if (address->scheme == "s3") return s3_keeper(to, arguments.network);
  return fail(ErrorKind::kUsage, address->shown + ": names no archive",
              std::string("name ") + kKnownArchives);
}

}  // namespace pgo
