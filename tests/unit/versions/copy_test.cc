// copy_version() from registries that do what they should not, and of artifacts that are not ours.
#include "pgo/versions/copy.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <map>

#include "pgo/base/sha256.h"
#include "pgo/base/text_bytes.h"
#include "pgo/registry/oci_layout.h"
#include "pgo/versions/cached_blob.h"
#include "tests/data/forwarding_registry.h"
#include "tests/data/temporary_files.h"

namespace pgo::copy_test {
namespace {

std::string digest_of(std::string_view text) { return Sha256::digest_of(as_bytes(text)); }

// A manifest without layers about another one.
std::string manifest_about(const std::string& subject) {
  OciManifest manifest;
  manifest.config = oci_empty_descriptor();
  if (!subject.empty()) manifest.subject = OciDescriptor{kOciManifestType, subject, 1};
  return oci_manifest_text(manifest);
}

std::unique_ptr<Registry> layout_at(const std::string& path) {
  return OciLayout::open_to_push(path).value();
}

// Makes up `count` referrers of whatever it is asked about.
class EndlessReferrers final : public test::ForwardingRegistry {
 public:
  EndlessReferrers(std::unique_ptr<Registry> to, size_t count)
      : ForwardingRegistry(std::move(to)), count_(count) {}

  Result<std::optional<StoredManifest>> find_manifest(const std::string& version) override {
    const auto found = made_up_.find(version);
    if (found == made_up_.end()) return ForwardingRegistry::find_manifest(version);
    return std::optional<StoredManifest>({version, kOciManifestType, found->second});
  }
  Result<std::vector<std::string>> list_referrers(const std::string& digest) override {
    std::vector<std::string> referrers;
    for (size_t i = 0; i < count_; i++) {
      OciManifest manifest = parse_oci_manifest(manifest_about(digest), "").value();
      manifest.annotations = {{"number", std::to_string(i)}};
      const std::string text = oci_manifest_text(manifest);
      made_up_[digest_of(text)] = text;
      referrers.push_back(digest_of(text));
    }
    return referrers;
  }

 private:
  size_t count_;
  std::map<std::string, std::string> made_up_;
};

// Says of each manifest that all refer to it.
class CircularReferrers final : public test::ForwardingRegistry {
 public:
  CircularReferrers(std::unique_ptr<Registry> to, std::vector<std::string> all)
      : ForwardingRegistry(std::move(to)), all_(std::move(all)) {}

  Result<std::vector<std::string>> list_referrers(const std::string&) override { return all_; }

 private:
  std::vector<std::string> all_;
};

// Leaves the process no file to open once it was asked for a blob.
class WithoutFiles final : public test::ForwardingRegistry {
 public:
  using ForwardingRegistry::ForwardingRegistry;
  ~WithoutFiles() override { ::setrlimit(RLIMIT_NOFILE, &before_); }

  Result<bool> has_blob(const OciDescriptor&) override {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    const int next = ::dup(0);
    ::close(next);
    const rlimit none{static_cast<rlim_t>(next), before_.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &none);
    return false;
  }

 private:
  rlimit before_{};
};

// Looks what would remain if the process were ended during a transfer.
class EndedMeanwhile final : public test::ForwardingRegistry {
 public:
  EndedMeanwhile(std::unique_ptr<Registry> to, std::string temporary)
      : ForwardingRegistry(std::move(to)), temporary_(std::move(temporary)) {}

  Result<void> fetch_blob(const OciDescriptor& blob, BlobSink& sink) override {
    look();
    return ForwardingRegistry::fetch_blob(blob, sink);
  }
  Result<bool> push_blob(const std::string& digest, Bytes bytes) override {
    look();
    return ForwardingRegistry::push_blob(digest, bytes);
  }

 private:
  void look() const {
    sigset_t blocked;
    ::pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
    EXPECT_FALSE(sigismember(&blocked, SIGINT));
    EXPECT_TRUE(std::filesystem::is_empty(temporary_));
  }

  const std::string temporary_;
};

class CopyTest : public test::TemporaryFiles {
 protected:
  void SetUp() override {
    from = layout_at(path("p"));
    const OciDescriptor empty = oci_empty_descriptor();
    ASSERT_TRUE(from->push_blob(empty.digest, as_bytes(kOciEmptyBlob)));
    version = push(manifest_about(""), "v1");
  }

  std::string push(const std::string& text, const std::string& tag) {
    EXPECT_TRUE(from->push_manifest(text, tag));
    return digest_of(text);
  }

  Result<CopyResult> copy() {
    const auto reference = [&](const std::string& name, const std::string& tag) {
      return RegistryReference{RegistryReference::Kind::kLayout, "", path(name), tag, ""};
    };
    return copy_version(
        {reference("p", "v1"), reference("q", ""),
         [this](const RegistryReference&, RegistryUse use) -> Result<std::unique_ptr<Registry>> {
           return use == RegistryUse::kRead ? std::move(from) : std::move(to);
         }});
  }
  std::string error_of_copy() {
    const Result<CopyResult> copied = copy();
    return copied ? "copied" : text_of(copied.error());
  }

  std::unique_ptr<Registry> from, to = layout_at(path("q"));
  std::string version;
};

TEST_F(CopyTest, CopiesReferrersOfReferrersOnce) {
  const std::string one = push(manifest_about(version), ""), two = push(manifest_about(one), "");
  from = std::make_unique<CircularReferrers>(std::move(from), std::vector{version, one, two});
  EXPECT_EQ(copy().value().referrers, 2u);
  for (const std::string& digest : {version, one, two})
    EXPECT_TRUE(get_manifest(*layout_at(path("q")), digest)) << digest;
}

TEST_F(CopyTest, EndsWhereReferrersDoNot) {
  for (const size_t count : {size_t{1}, size_t{20}, size_t{2000}}) {
    from = std::make_unique<EndlessReferrers>(layout_at(path("p")), count);
    to = layout_at(path("q"));
    EXPECT_EQ(
        error_of_copy(),
        "oci-dir:p: more than 1000 manifests refer to " + version +
            ", directly or through other manifests; remove those that are not needed, or copy from "
            "another registry");
    EXPECT_FALSE(layout_at(path("q"))->find_manifest("v1").value());
  }
}

TEST_F(CopyTest, CanBeEndedDuringATransfer) {
  const char* before = std::getenv("TMPDIR");
  const std::string temporary = path("tmp");
  std::filesystem::create_directory(temporary);
  from = std::make_unique<EndedMeanwhile>(std::move(from), temporary);
  to = std::make_unique<EndedMeanwhile>(std::move(to), temporary);
  const std::string kept = before == nullptr ? "" : before;
  ::setenv("TMPDIR", temporary.c_str(), 1);
  const Result<CopyResult> copied = copy();
  before == nullptr ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", kept.c_str(), 1);
  EXPECT_EQ(copied.value().copied_blobs, 1u);
}

TEST_F(CopyTest, SaysThatATagMoved) {
  EXPECT_EQ(copy().value().moved_from, "");
  from = layout_at(path("p")), to = layout_at(path("q"));
  EXPECT_EQ(copy().value().moved_from, "");
  from = layout_at(path("p")), to = layout_at(path("q"));
  const std::string later = push(manifest_about(digest_of("other")), "v1");
  const CopyResult moved = copy().value();
  EXPECT_EQ(moved.digest, later);
  EXPECT_EQ(moved.moved_from, version);
}

TEST_F(CopyTest, KeepsTheMediaTypeThatTheSourceSays) {
  const std::string foreign = R"({"schemaVersion":2,"config":{"mediaType":"a/b","digest":")" +
                              oci_empty_descriptor().digest + R"(","size":2},"layers":[]})";
  const std::string docker = "application/vnd.docker.distribution.manifest.v2+json";
  ASSERT_TRUE(from->push_manifest_as(docker, foreign, "v1"));
  EXPECT_EQ(copy().value().digest, digest_of(foreign));
  EXPECT_EQ(get_manifest(*layout_at(path("q")), "v1").value().media_type, docker);
}

// The manifest of a hostile registry names a blob that would fill the disk.
TEST_F(CopyTest, FetchesNoBlobThatIsTooLarge) {
  OciManifest manifest;
  manifest.config = oci_empty_descriptor();
  manifest.layers.push_back({"text/plain", digest_of("a"), kMaxStoredFile + 1});
  push(oci_manifest_text(manifest), "v1");
  const std::string error =
      "oci-dir:p: the blob " + digest_of("a") + " has 68.7 GB, and at most 68.7 GB are read; ";
  const BlobCache cache = BlobCache::open(path("cache")).value();
  EXPECT_EQ(text_of(fetch_into_cache(*from, manifest.layers[0], cache).error()), error);
  EXPECT_EQ(error_of_copy(), error);
}

TEST_F(CopyTest, SaysWhyABlobCannotBeKeptOnTheWay) {
  to = std::make_unique<WithoutFiles>(std::move(to));
  const std::string error = error_of_copy();
  EXPECT_TRUE(error.find("/blob: cannot create a file in ") != error.npos &&
              error.ends_with(": Too many open files; "))
      << error;
}

}  // namespace
}  // namespace pgo::copy_test
