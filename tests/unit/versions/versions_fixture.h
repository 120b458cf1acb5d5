// What tests of versions start from: a layout in a directory, a bundle, pushes, and a lock file.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "pgo/base/sha256.h"
#include "pgo/versions/pin.h"
#include "pgo/versions/pull.h"
#include "pgo/versions/push.h"
#include "tests/data/layout_opener.h"
#include "tests/data/temporary_files.h"

namespace pgo::test {

inline constexpr const char* kFdata = "1 main 0 1 work 4 0 7\n1 work 8 1 main c 1 3\n";
inline constexpr const char* kLlvm = "main:1000:10\n 1: 100\n 2: 100\n";

inline std::string text_in(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline std::string digest_of(std::string_view text) {
  return Sha256::digest_of({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
}

class VersionsTest : public TemporaryFiles {
 protected:
  RegistryReference at(const std::string& tag, const std::string& layout = "p") const {
    return {RegistryReference::Kind::kLayout, "", path(layout), tag, ""};
  }

  std::string bundle(const std::string& day) {
    return R"({"version": 1, "tool_version": "0.1.0", "sources": ["s3://b/p"], "query": {"service":
"queryd"}, "weight_denominator": 1, "members": [{"path": "a.pb.gz", "size": 1, "digest": ")" +
           digest_of("a") + R"(", "source": "s3://b/p", "object": "a", "labels": {}, "window":
{"from": ")" +
           day + R"(T00:00:00Z", "to": ")" + day + R"(T01:00:00Z", "evidence": "name"}, "weight": 1,
"builds": [], "samples": 1}]})";
  }

  Result<PushResult> try_push(const std::vector<std::string>& files, const std::string& tag) {
    PushRequest request;
    request.files.files = files;
    request.to = at(tag);
    request.open = open_layout;
    return push(request);
  }
  PushResult pushed(const std::vector<std::string>& files, const std::string& tag) {
    Result<PushResult> result = try_push(files, tag);
    EXPECT_TRUE(result) << text_of(result.error());
    return result ? *result : PushResult();
  }
  // A version that was recorded on this day.
  std::string push_day(const std::string& day, const std::string& tag) {
    return pushed({write("s.proftext", kLlvm), write("bundle.json", bundle(day))}, tag).digest;
  }

  Result<PinResult> try_pin(const std::string& name, std::optional<RegistryReference> reference) {
    PinRequest request;
    request.name = name;
    request.reference = std::move(reference);
    request.lock = path("pgo.lock");
    request.open = open_layout;
    return pin(request);
  }
  PinResult pinned(const std::string& name, std::optional<RegistryReference> reference) {
    Result<PinResult> result = try_pin(name, std::move(reference));
    EXPECT_TRUE(result) << text_of(result.error());
    return result ? *result : PinResult();
  }

  PullRequest pull_request() const {
    PullRequest request;
    request.lock = path("pgo.lock");
    request.open = open_layout;
    request.cache = path("cache");
    return request;
  }

  template <typename T>
  std::string error_of(const Result<T>& result) {
    EXPECT_FALSE(result);
    return result ? "" : text_of(result.error());
  }
};

}  // namespace pgo::test
