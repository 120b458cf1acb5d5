// ForwardingRegistry: passes every call on to another registry; tests derive from it what differs.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "pgo/registry/registry.h"

namespace pgo::test {

class ForwardingRegistry : public Registry {
 public:
  explicit ForwardingRegistry(std::unique_ptr<Registry> to) : to_(std::move(to)) {}

  const std::string& name() const override { return to_->name(); }
  Result<std::optional<StoredManifest>> find_manifest(const std::string& version) override {
    return to_->find_manifest(version);
  }
  Result<std::vector<ManifestName>> list_manifests() override { return to_->list_manifests(); }
  bool lists_untagged() const override { return to_->lists_untagged(); }
  Result<std::vector<std::string>> list_referrers(const std::string& digest) override {
    return to_->list_referrers(digest);
  }
  Result<void> fetch_blob(const OciDescriptor& blob, BlobSink& sink) override {
    return to_->fetch_blob(blob, sink);
  }
  Result<bool> has_blob(const OciDescriptor& blob) override { return to_->has_blob(blob); }
  Result<bool> push_blob(const std::string& digest, Bytes bytes) override {
    return to_->push_blob(digest, bytes);
  }
  Result<void> push_manifest_as(const std::string& media_type, const std::string& bytes,
                                const std::string& tag) override {
    return to_->push_manifest_as(media_type, bytes, tag);
  }
  Result<bool> move_tag(const std::string& bytes, const std::string& tag,
                        const std::string& expected) override {
    return to_->move_tag(bytes, tag, expected);
  }

 private:
  std::unique_ptr<Registry> to_;
};

}  // namespace pgo::test
