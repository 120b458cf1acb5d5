// pull() from registries that fail on the way: what is in the output directory afterwards.
#include "pgo/versions/pull.h"

#include <gtest/gtest.h>

#include "pgo/versions/pin.h"
#include "pgo/versions/push.h"
#include "tests/data/forwarding_registry.h"
#include "tests/data/layout_opener.h"
#include "tests/data/temporary_files.h"

namespace pgo::pull_test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kOldLlvm = "main:1000:10\n 1: 100\n 2: 100\n";
constexpr const char* kNewLlvm = "main:1000:10\n 1: 200\n 2: 100\n";
constexpr const char* kOldFdata = "1 main 0 1 work 4 0 7\n";
constexpr const char* kNewFdata = "1 main 0 1 work 4 0 8\n";

std::string text_in(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Breaks off when it has given this many blobs.
class BreakingOff final : public test::ForwardingRegistry {
 public:
  BreakingOff(std::unique_ptr<Registry> to, int& blobs)
      : ForwardingRegistry(std::move(to)), blobs_(blobs) {}

  Result<void> fetch_blob(const OciDescriptor& blob, BlobSink& sink) override {
    if (blobs_-- <= 0) return fail(ErrorKind::kIo, "the connection broke");
    return ForwardingRegistry::fetch_blob(blob, sink);
  }

 private:
  int& blobs_;
};

class PullTest : public test::TemporaryFiles {
 protected:
  void push_files(const std::string& tag, const std::string& llvm, const std::string& fdata) {
    PushRequest request;
    request.files.files = {write("s.proftext", llvm), write("s.fdata", fdata)};
    request.to = at(tag);
    request.open = test::open_layout;
    ASSERT_TRUE(push(request));
  }
  void pin_as(const std::string& name, const std::string& tag) {
    ASSERT_TRUE(pin({name, at(tag), path("pgo.lock"), {}, test::open_layout}));
  }
  RegistryReference at(const std::string& tag) const {
    return {RegistryReference::Kind::kLayout, "", path("p"), tag, ""};
  }
  // Pulls with a registry that gives `blobs` blobs in all.
  Result<PullResult> pull_with(int blobs, std::optional<RegistryReference> from) {
    PullRequest request;
    request.from = std::move(from);
    request.lock = path("pgo.lock");
    request.open = [&](const RegistryReference& reference,
                       RegistryUse use) -> Result<std::unique_ptr<Registry>> {
      PGO_TRY(std::unique_ptr<Registry> layout, test::open_layout(reference, use));
      return std::unique_ptr<Registry>(std::make_unique<BreakingOff>(std::move(layout), blobs));
    };
    request.cache = path("cache");
    request.output = path("out");
    return pull(request);
  }
};

TEST_F(PullTest, MixesNoTwoVersions) {
  push_files("v1", kOldLlvm, kOldFdata);
  push_files("v2", kNewLlvm, kNewFdata);
  ASSERT_TRUE(pull_with(2, at("v1")));
  EXPECT_FALSE(pull_with(1, at("v2")));
  EXPECT_EQ(text_in(path("out/s.proftext")), kOldLlvm);
  EXPECT_EQ(text_in(path("out/s.fdata")), kOldFdata);
  EXPECT_EQ(pull_with(1, at("v2")).value().files[0].was_cached, true);
  EXPECT_EQ(text_in(path("out/s.proftext")), kNewLlvm);
  EXPECT_EQ(text_in(path("out/s.fdata")), kNewFdata);
}

TEST_F(PullTest, MixesNoTwoLockFiles) {
  push_files("v1", kOldLlvm, kOldFdata);
  push_files("v2", kNewLlvm, kNewFdata);
  for (const char* name : {"a", "b"}) pin_as(name, "v1");
  ASSERT_TRUE(pull_with(2, std::nullopt));
  pin_as("a", "v2");
  push_files("v3", kNewLlvm, kOldFdata);
  pin_as("b", "v3");
  EXPECT_FALSE(pull_with(1, std::nullopt));
  for (const std::string name : {"a", "b"}) {
    EXPECT_EQ(text_in(path("out/" + name + "/s.proftext")), kOldLlvm) << name;
    EXPECT_EQ(text_in(path("out/" + name + "/s.fdata")), kOldFdata) << name;
  }
}

// The first copies can be written, and the last cannot.
TEST_F(PullTest, ReplacesNothingWhenACopyFails) {
  push_files("v1", kOldLlvm, kOldFdata);
  for (const char* name : {"a", "b"}) pin_as(name, "v1");
  ASSERT_TRUE(pull_with(2, std::nullopt));
  push_files("v2", kNewLlvm, kNewFdata);
  for (const char* name : {"a", "b"}) pin_as(name, "v2");
  fs::remove_all(path("out/b"));
  write("out/b", "a file");
  const Result<PullResult> pulled = pull_with(2, std::nullopt);
  ASSERT_FALSE(pulled);
  EXPECT_EQ(relative(pulled.error().message), "out/b: cannot make the directory: Not a directory");
  EXPECT_EQ(text_in(path("out/a/s.proftext")), kOldLlvm);
  EXPECT_EQ(std::distance(fs::directory_iterator(path("out/a")), fs::directory_iterator()), 2);
}

}  // namespace
}  // namespace pgo::pull_test
