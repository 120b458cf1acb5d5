// RemoteRegistry: a Registry over HTTP, as the OCI distribution specification 1.1 has it.
//
// Registries differ. Where one does not list referrers, or answers with anything else, an index
// with the tag sha256-<hex> of their subject does (the specification's fallback); where one lists
// them without looking at them, each is read. What a registry answers is checked against its
// digest.
#pragma once

#include <string>
#include <vector>

#include "pgo/registry/registry.h"
#include "pgo/remote_registry/registry_session.h"

namespace pgo {

class RemoteRegistry final : public Registry {
 public:
  // Sends nothing yet.
  RemoteRegistry(const std::string& host, const std::string& repository,
                 RemoteRegistryOptions options)
      : session_(host, repository, std::move(options)) {}

  const std::string& name() const override { return session_.name(); }
  Result<std::optional<StoredManifest>> find_manifest(const std::string& version) override;
  Result<std::vector<ManifestName>> list_manifests() override;
  bool lists_untagged() const override { return false; }
  Result<std::vector<std::string>> list_referrers(const std::string& digest) override;
  Result<void> fetch_blob(const OciDescriptor& blob, BlobSink& sink) override;
  Result<bool> has_blob(const OciDescriptor& blob) override;
  Result<bool> push_blob(const std::string& digest, Bytes bytes) override;
  Result<void> push_manifest_as(const std::string& media_type, const std::string& bytes,
                                const std::string& tag) override;
  Result<bool> move_tag(const std::string& bytes, const std::string& tag,
                        const std::string& expected) override;

 private:
  Result<void> put_manifest(const std::string& bytes, const std::string& media_type,
                            const std::string& version, net::HttpResponse& answer);
  // Nothing where the registry has no list of referrers.
  Result<std::optional<std::vector<std::string>>> ask_for_referrers(const std::string& digest);
  Result<OciIndex> fallback_index(const std::string& tag);
  Result<void> add_to_fallback(const OciDescriptor& referrer, const std::string& subject);

  RegistrySession session_;
};

}  // namespace pgo
