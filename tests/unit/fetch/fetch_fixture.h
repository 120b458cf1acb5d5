// What tests of fetch() start from: a store with profiles of hosts and hours, and a request for
// them.
#pragma once

#include <filesystem>
#include <string>

#include "converters/pprof/pprof_writer.h"
#include "pgo/base/gzip.h"
#include "pgo/fetch/fetch.h"
#include "tests/data/memory_source.h"
#include "tests/data/small_stacks.h"
#include "tests/data/temporary_files.h"

namespace pgo::test {

inline constexpr const char *kOld = "0000000000000000000000000000000000000001",
                            *kNew = "0000000000000000000000000000000000000002";

// A profile without samples.
inline const std::string kIdle = gzip(write_pprof(small_stacks({}))).value();

// A profile of `count` samples of `function`.
inline std::string profile(const std::string& function, int64_t count,
                           const std::string& build = "", int64_t time = 0) {
  StackProfile stacks =
      small_stacks({{.stack = {{function}, {"main"}}, .count = count}}, "samples");
  if (!build.empty()) stacks.mappings[0].build_id = stacks.strings.add(build);
  stacks.time = time;
  static int recordings = 0;  // no two have the same contents
  stacks.comments.push_back(stacks.strings.add("recording " + std::to_string(++recordings)));
  stacks.normalize();
  return gzip(write_pprof(stacks)).value();
}

class FetchTest : public TemporaryFiles {
 protected:
  FetchTest() {
    request_.sources = {&source_};
    request_.output = path("b");
    request_.cache = path("cache");
    request_.jobs = 2;
  }
  void add(const std::string& host, const std::string& hour, const std::string& contents) {
    source_.add(host + "/" + hour, {{"host", host}, {"hour", "2026-11-26T" + hour}}, contents);
  }
  std::string error() {
    const Result<FetchResult> result = fetch(request_);
    return result ? "no error" : text_of(result.error());
  }
  bool is_written() const { return std::filesystem::exists(path("b")); }

  MemorySource source_{"s3://bucket/p"};
  FetchRequest request_;
};

}  // namespace pgo::test
