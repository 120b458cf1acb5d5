// keep_in_objects() into a store in memory: what is kept, and what becomes of two jobs at once.
#include "pgo/archive/object_archive.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <utility>

#include "pgo/base/sha256.h"
#include "tests/data/released_elf.h"
#include "tests/data/temporary_files.h"

namespace pgo::object_archive_test {
namespace {

constexpr const char* kKey = "0102030405060708/executable";

class MemoryStore final : public ObjectStore {
 public:
  std::string place(const std::string& key) const override { return "s3://builds/" + key; }
  Result<std::optional<ArchivedObject>> find(const std::string& key) override {
    const auto found = objects.find(key);
    if (found == objects.end()) return std::optional<ArchivedObject>();
    return std::optional(found->second);
  }
  Result<std::string> read_digest(const std::string&, uint64_t) override { return read; }
  Result<bool> put_new(const std::string& key, Bytes bytes) override {
    if (before_put) std::exchange(before_put, {})();
    const ArchivedObject object{bytes.size(), Sha256::digest_of(bytes)};
    const bool is_new = objects.insert({key, object}).second;
    if (is_unconditional) objects[key] = object;
    if (after_put) std::exchange(after_put, {})();
    return is_new || is_unconditional;
  }

  std::map<std::string, ArchivedObject> objects;
  std::string read;                             // the digest of what another tool wrote
  bool is_unconditional = false;                // it replaces
  std::function<void()> before_put, after_put;  // what another job does once
};

class ObjectArchiveTest : public test::TemporaryFiles {
 protected:
  Release release_of(const std::string& name, const std::string& code) {
    Diagnostics ignored;
    return open_release({write(name, Bytes(test::elf_of({.code = code})))}, ignored).value();
  }
  ArchivedObject object_of(const Release& release) {
    return {release.files[0].image.bytes().size(), release.files[0].digest};
  }
  // '+' and the place of a new file; or the error.
  std::string kept(const Release& release) {
    const Result<KeptRelease> result = keep_in_objects(store, release);
    if (!result) return text_of(result.error());
    return (result->files[0].is_new ? "+" : "=") + result->files[0].place;
  }
  std::string mismatch(const std::string& found, const Release& release) {
    return std::string("s3://builds/") + kKey + " (" + found + "): has the build ID of " +
           relative(release.files[0].image.path()) + " (" + release.files[0].digest +
           "), but other contents; it was not replaced; archive the released file before anything "
           "strips or changes it; if the archived file is wrong, remove it";
  }

  MemoryStore store;
  Release one = release_of("one", "\x90\xc3"), other = release_of("other", "\xc3");
};

TEST_F(ObjectArchiveTest, ReplacesNoObject) {
  EXPECT_EQ(kept(one), std::string("+s3://builds/") + kKey);
  EXPECT_EQ(kept(one), std::string("=s3://builds/") + kKey);
  EXPECT_EQ(kept(other), mismatch(one.files[0].digest, other));
  // Another tool noted no digest: what has the same size is read.
  store.objects[kKey] = {object_of(one).size, ""};
  store.read = one.files[0].digest;
  EXPECT_EQ(kept(one), std::string("=s3://builds/") + kKey);
  store.read = other.files[0].digest;
  EXPECT_EQ(kept(one), mismatch(other.files[0].digest, one));
  store.objects[kKey].size++;
  EXPECT_EQ(kept(one), mismatch(std::to_string(store.objects[kKey].size) + " bytes", one));
}

TEST_F(ObjectArchiveTest, CutsLongBuildIdsAsRecordingsDo) {
  const std::vector<uint8_t> id(32, 0x21);
  EXPECT_EQ(object_key(BuildId(id), ReleaseRole::kDebug),
            BuildId(Bytes(id).first(20)).hex() + "/debug");
}

TEST_F(ObjectArchiveTest, RefusesWhatAnotherJobWroteMeanwhile) {
  store.before_put = [&] { store.objects[kKey] = object_of(one); };
  EXPECT_EQ(kept(other), mismatch(one.files[0].digest, other));
  store.objects.clear();
  store.before_put = [&] { store.objects[kKey] = object_of(one); };
  EXPECT_EQ(kept(one), std::string("=s3://builds/") + kKey);
  store.objects.clear();
  store.after_put = [&] { store.objects.clear(); };
  EXPECT_EQ(kept(one), std::string("s3://builds/") + kKey +
                           ": another process changed or removed the file at the same time; run "
                           "this again");
}

TEST_F(ObjectArchiveTest, NoticesThatAnUnconditionalStoreReplacedIt) {
  store.is_unconditional = true;
  store.after_put = [&] { store.objects[kKey] = object_of(one); };
  EXPECT_EQ(kept(other), mismatch(one.files[0].digest, other));
}

}  // namespace
}  // namespace pgo::object_archive_test
