#include "pgo/fetch/cached_fetch.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "pgo/base/number_text.h"

namespace pgo {
namespace {

// Empty: what was fetched before does not count.
std::string cache_key(const Source& source, const SourceObject& object) {
  if (object.version.empty()) return "";
  return source.identity() + "\n" + object.name + "\n" + object.version;
}

// Writes what one source sends into the cache.
class CacheSink : public ObjectSink {
 public:
  CacheSink(const Source& source, const std::vector<const Candidate*>& objects,
            const BlobCache& cache, const CachedFetchOptions& options, Progress& progress,
            CachedObjects& fetched)
      : source_(source),
        objects_(objects),
        cache_(cache),
        options_(options),
        progress_(progress),
        fetched_(fetched),
        writers_(objects.size()) {}

  Result<void> begin(size_t object) override {
    if (cache_error_) return fail(*cache_error_);
    if (std::optional<BlobWriter>& writer = writers_[object]) {
      fetched_.downloaded_bytes -= writer->size();
      return of_cache(writer->restart());
    }
    PGO_TRY(BlobWriter writer, of_cache(cache_.write()));
    writers_[object].emplace(std::move(writer));
    return ok();
  }

  Result<void> append(size_t object, Bytes bytes) override {
    std::optional<BlobWriter>& writer = writers_[object];
    if (!writer)
      return fail(ErrorKind::kInternal,
                  objects_[object]->shown() + ": its source did not begin it");
    if (writer->size() + bytes.size() > options_.max_object_bytes) {
      too_large_.insert(object);
      return fail(ErrorKind::kInput, objects_[object]->shown() + ": is larger than " +
                                         format_size(options_.max_object_bytes) +
                                         ", the limit for one profile");
    }
    if (fetched_.downloaded_bytes + bytes.size() > options_.max_bytes) {
      too_large_.insert(object);
      return fail(ErrorKind::kInput, objects_[object]->shown() + ": \xFF{max-bytes} is used up: " +
                                         format_size(fetched_.downloaded_bytes) +
                                         " were downloaded");
    }
    PGO_CHECK(of_cache(writer->append(bytes)));
    fetched_.downloaded_bytes += bytes.size();
    return ok();
  }

  void warn(size_t object, const Diagnostics& warnings) override {
    if (warnings.entries().empty()) return;
    fetched_.diagnostics.add(warnings);
    odd_.insert(object);
  }

  void end(size_t object, Result<void> outcome) override {
    std::optional<BlobWriter> writer = std::move(writers_[object]);
    writers_[object].reset();
    if (!outcome) {
      outcomes_.insert_or_assign(object, std::move(outcome).failure());
      return;
    }
    if (!writer) {  // an object without a byte
      Result<BlobWriter> empty = of_cache(cache_.write());
      if (!empty) {
        outcomes_.insert_or_assign(object, std::move(empty).failure());
        return;
      }
      writer.emplace(*std::move(empty));
    }
    // Warnings come again as long as the object is fetched again.
    const bool is_odd = odd_.contains(object);
    Result<Blob> blob =
        of_cache(writer->commit(is_odd ? "" : cache_key(source_, objects_[object]->object)));
    if (blob) fetched_.downloaded++;
    outcomes_.insert_or_assign(object, std::move(blob));
    progress_.done++;
    report_progress(options_.progress, progress_);
  }

  // The first error that is of the cache, and not of an object.
  const std::optional<Error>& cache_error() const { return cache_error_; }
  bool is_too_large(size_t object) const { return too_large_.contains(object); }
  Result<Blob> outcome_of(size_t object) {
    auto outcome = outcomes_.find(object);
    if (outcome != outcomes_.end()) return std::move(outcome->second);
    return fail(ErrorKind::kInternal, objects_[object]->shown() + ": its source did not end it");
  }

 private:
  // Keeps the error, after which no object begins.
  template <typename T>
  Result<T> of_cache(Result<T> result) {
    if (!result && !cache_error_) cache_error_ = result.error();
    return result;
  }

  const Source& source_;
  const std::vector<const Candidate*>& objects_;
  const BlobCache& cache_;
  const CachedFetchOptions& options_;
  Progress& progress_;
  CachedObjects& fetched_;
  std::optional<Error> cache_error_;
  std::set<size_t> too_large_, odd_;
  std::vector<std::optional<BlobWriter>> writers_;
  std::map<size_t, Result<Blob>> outcomes_;
};

}  // namespace

Result<CachedObjects> fetch_through_cache(const std::vector<Source*>& sources,
                                          const std::vector<ChosenCandidate>& chosen,
                                          const BlobCache& cache,
                                          const CachedFetchOptions& options) {
  CachedObjects fetched;
  std::map<size_t, Result<Blob>> blobs;           // by index into `chosen`: each has one
  std::map<size_t, std::vector<size_t>> missing;  // by source: indices into `chosen`
  Progress progress{.what = "fetching", .unit = "profiles"};
  for (size_t i = 0; i < chosen.size(); i++) {
    const Candidate& candidate = chosen[i].candidate;
    const std::string key = cache_key(*sources[candidate.source], candidate.object);
    if (std::optional<Blob> blob = key.empty() ? std::nullopt : cache.find(key)) {
      fetched.found++;
      fetched.found_bytes += blob->size;
      blobs.insert_or_assign(i, *std::move(blob));
      continue;
    }
    missing[candidate.source].push_back(i);
    progress.total++;
  }
  for (const auto& [source, indices] : missing) {
    std::vector<const Candidate*> candidates;
    std::vector<SourceObject> objects;
    for (size_t i : indices) {
      candidates.push_back(&chosen[i].candidate);
      objects.push_back(chosen[i].candidate.object);
    }
    CacheSink sink(*sources[source], candidates, cache, options, progress, fetched);
    sources[source]->fetch(objects, sink);
    if (sink.cache_error()) return fail(*sink.cache_error());
    for (size_t i = 0; i < indices.size(); i++) {
      blobs.insert_or_assign(indices[i], sink.outcome_of(i));
      if (sink.is_too_large(i)) fetched.too_large.insert(indices[i]);
    }
  }
  for (auto& [i, blob] : blobs) fetched.blobs.push_back(std::move(blob));
  return fetched;
}

}  // namespace pgo
