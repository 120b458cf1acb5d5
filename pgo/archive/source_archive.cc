#include "pgo/archive/source_archive.h"

#include <map>
#include <optional>
#include <set>
#include <utility>

#include "pgo/base/number_text.h"
#include "pgo/registry/registry.h"

namespace pgo {
namespace {

// Writes one object into the cache.
class ObjectInCache final : public ObjectSink {
 public:
  ObjectInCache(BlobWriter& writer, std::string place)
      : writer_(writer), place_(std::move(place)) {}

  Result<void> begin(size_t) override { return writer_.restart(); }
  Result<void> append(size_t, Bytes bytes) override {
    if (writer_.size() + bytes.size() > kMaxStoredFile)
      return fail(ErrorKind::kInput, place_ + ": has more than " + format_size(kMaxStoredFile) +
                                         ", and no more are read");
    return writer_.append(bytes);
  }
  void end(size_t, Result<void> outcome) override { outcome_ = std::move(outcome); }

  Result<void> outcome() const { return outcome_; }

 private:
  BlobWriter& writer_;
  const std::string place_;
  Result<void> outcome_ = ok();
};

class SourceArchive final : public BuildArchive {
 public:
  SourceArchive(std::string name, OpenFolder open, const BlobCache& cache)
      : name_(std::move(name)), open_(std::move(open)), cache_(cache) {}

  const std::string& name() const override { return name_; }

 protected:
  Result<std::vector<ReleaseRole>> list(const BuildId& build, ArchivedUse) override {
    objects_.clear();
    PGO_TRY(source_, open_(archive_key(build).hex()));
    Diagnostics ignored;  // about labels and times, which these objects do not have
    PGO_TRY(std::vector<SourceObject> objects, source_->list({}, ignored));
    std::vector<ReleaseRole> roles;
    for (const ReleaseRole role :
         {ReleaseRole::kExecutable, ReleaseRole::kDebug, ReleaseRole::kPrebolt})
      for (SourceObject& object : objects) {
        if (object.name != role_name(role)) continue;
        roles.push_back(role);
        objects_[role] = std::move(object);
      }
    return roles;
  }

  Result<FetchedFile> fetch(const BuildId&, ReleaseRole role) override {
    const SourceObject& object = objects_.at(role);
    const std::string place = source_->name() + "/" + object.name;
    const std::string key = object.version.empty()
                                ? ""
                                : source_->identity() + "\n" + object.name + "\n" + object.version;
    std::optional<Blob> blob = key.empty() ? std::nullopt : cache_.find(key);
    if (!blob) {
      PGO_TRY(BlobWriter writer, cache_.write());
      ObjectInCache sink(writer, place);
      source_->fetch(std::span(&object, 1), sink);
      PGO_CHECK(sink.outcome());
      PGO_TRY(blob, writer.commit(key));
    }
    return FetchedFile{blob->path, place};
  }

  Result<std::vector<BuildId>> list_relatives(const BuildId& build) override {
    if (!builds_) {
      PGO_TRY(const std::unique_ptr<Source> all, open_(""));
      Diagnostics ignored;
      PGO_TRY(const std::vector<SourceObject> objects, all->list({}, ignored));
      builds_.emplace();
      for (const SourceObject& object : objects)
        if (const std::optional<BuildId> id =
                BuildId::from_hex(object.name.substr(0, object.name.find('/'))))
          builds_->insert(*id);
    }
    return relatives_among(*builds_, build);
  }

 private:
  const std::string name_;
  const OpenFolder open_;
  const BlobCache& cache_;
  std::unique_ptr<Source> source_;               // of the build that was listed last
  std::map<ReleaseRole, SourceObject> objects_;  // the same
  std::optional<std::set<BuildId>> builds_;      // all, once they were needed
};

}  // namespace

std::unique_ptr<BuildArchive> open_source_archive(const std::string& name, OpenFolder open,
                                                  const BlobCache& cache) {
  return std::make_unique<SourceArchive>(name, std::move(open), cache);
}

}  // namespace pgo
