#include "pgo/fetch/cached_fetch.h"

#include <gtest/gtest.h>

#include <functional>

#include "tests/data/temporary_files.h"

namespace pgo::cached_fetch_test {
namespace {

// A source of one object that breaks the rules of ObjectSink.
class WrongSource : public Source {
 public:
  explicit WrongSource(std::function<void(ObjectSink&)> send) : send_(std::move(send)) {}

  const std::string& name() const override { return name_; }
  const std::string& identity() const override { return name_; }
  Result<std::vector<SourceObject>> list(const SourceQuery&, Diagnostics&) override {
    return std::vector<SourceObject>(1);
  }
  void fetch(std::span<const SourceObject>, ObjectSink& sink) override { send_(sink); }

 private:
  std::string name_ = "dir:store";
  std::function<void(ObjectSink&)> send_;
};

class CachedFetch : public test::TemporaryFiles {
 protected:
  // What becomes of the object of such a source.
  std::string outcome_of(const std::function<void(ObjectSink&)>& send) const {
    WrongSource source(send);
    ChosenCandidate chosen;
    chosen.candidate.source_name = source.name();
    chosen.candidate.object.name = "a.pb";
    Result<BlobCache> cache = BlobCache::open(path("cache"), {});
    if (!cache) return cache.error().message;
    Result<CachedObjects> fetched = fetch_through_cache({&source}, {chosen}, *cache, {});
    if (!fetched) return fetched.error().message;
    if (fetched->blobs.size() != 1) return std::to_string(fetched->blobs.size()) + " blobs";
    return fetched->blobs[0] ? "fetched" : fetched->blobs[0].error().message;
  }
};

TEST_F(CachedFetch, NamesObjectsThatASourceDidNotBegin) {
  EXPECT_EQ(outcome_of([](ObjectSink& sink) {
              const uint8_t byte = 1;
              sink.end(0, sink.append(0, Bytes(&byte, 1)));
            }),
            "dir:store: a.pb: its source did not begin it");
}

TEST_F(CachedFetch, NamesObjectsThatASourceDidNotEnd) {
  EXPECT_EQ(outcome_of([](ObjectSink& sink) { EXPECT_TRUE(sink.begin(0)); }),
            "dir:store: a.pb: its source did not end it");
}

// What was odd about an object is said again each time: it is fetched again.
TEST_F(CachedFetch, KeepsNothingOddInTheCache) {
  ChosenCandidate chosen;
  chosen.candidate.object.name = "a.pb";
  chosen.candidate.object.version = "1";
  const BlobCache cache = BlobCache::open(path("cache"), {}).value();
  const auto fetch = [&](bool is_odd) {
    WrongSource source([&](ObjectSink& sink) {
      const uint8_t byte = 1;
      EXPECT_TRUE(sink.begin(0) && sink.append(0, Bytes(&byte, 1)));
      Diagnostics warnings;
      if (is_odd) warnings.warn("odd", "a.pb: is odd");
      sink.warn(0, warnings);
      sink.end(0, ok());
    });
    return fetch_through_cache({&source}, {chosen}, cache, {}).value();
  };
  EXPECT_EQ(fetch(true).diagnostics.entries().count("odd"), 1u);
  EXPECT_EQ(fetch(false).downloaded, 1u);
  EXPECT_EQ(fetch(true).downloaded, 0u);
}

}  // namespace
}  // namespace pgo::cached_fetch_test
