#include "pgo/store_access/merged_download.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "converters/pprof/pprof_reader.h"
#include "converters/pprof/pprof_writer.h"
#include "pgo/base/gzip.h"
#include "pgo/base/inflate.h"
#include "pgo/base/text_bytes.h"
#include "pgo/profile/stack_merger.h"

namespace pgo::store_access {
namespace {

// In nanoseconds. Servers know times to the millisecond.
constexpr int64_t kSecond = 1'000'000'000, kShortestPart = 60 * kSecond;

class MergedDownload {
 public:
  MergedDownload(std::span<const SourceObject> objects,
                 const std::map<std::string, MergedQuery>& queries, const MergingStore& store,
                 const std::string& source, ObjectSink& sink)
      : objects_(objects),
        queries_(queries),
        store_(store),
        source_(source),
        sink_(sink),
        states_(objects.size()) {}

  std::optional<net::MemoryRequest> next();

 private:
  // Of one object, until all its parts are there.
  struct State {
    size_t parts = 1;  // that are not there yet
    StackMerger merger;
    std::optional<StackProfile> empty;  // a part without samples, for its types
    std::optional<Error> error;         // the first
  };
  struct Job {
    size_t object = 0;
    MergedQuery query;
  };

  void take(Job job, Result<net::HttpResponse> response);
  bool split(const Job& job);
  Result<void> add_part(size_t object, const std::string& pprof);
  void end_part(size_t object, const Result<void>& outcome);
  Result<void> deliver(size_t object);
  std::string shown(size_t object) const { return source_ + ": " + objects_[object].name; }

  std::span<const SourceObject> objects_;
  const std::map<std::string, MergedQuery>& queries_;
  const MergingStore& store_;
  const std::string& source_;
  ObjectSink& sink_;
  std::vector<State> states_;
  std::deque<Job> again_;
  size_t next_ = 0;
};

std::optional<net::MemoryRequest> MergedDownload::next() {
  Job job;
  while (true) {
    if (!again_.empty()) {
      job = std::move(again_.front());
      again_.pop_front();
      if (!states_[job.object].error) break;
      end_part(job.object, ok());  // another part failed
      continue;
    }
    if (next_ == objects_.size()) return std::nullopt;
    const size_t object = next_++;
    const auto found = queries_.find(objects_[object].name);
    if (found == queries_.end()) {
      end_part(object, fail(ErrorKind::kInternal, shown(object) + ": was not listed"));
      continue;
    }
    job = {object, found->second};
    break;
  }
  net::HttpRequest request = store_.request(job.query);
  request.shown = shown(job.object);
  return net::MemoryRequest{std::move(request), [this, job = std::move(job)](auto response) {
                              take(job, std::move(response));
                            }};
}

void MergedDownload::take(Job job, Result<net::HttpResponse> response) {
  const size_t object = job.object;
  if (!response) return end_part(object, fail(response.error()));
  Result<MergeAnswer> answer = store_.read(*response, job.query);
  if (!answer) return end_part(object, fail(answer.error()));
  switch (answer->kind) {
    case MergeAnswer::Kind::kProfile: return end_part(object, add_part(object, answer->pprof));
    case MergeAnswer::Kind::kAskAgain: return again_.push_back(std::move(job));
    case MergeAnswer::Kind::kTooLong:
      if (!split(job))
        end_part(object, fail(ErrorKind::kIo,
                              shown(object) + ": the server refuses even a window of a minute as "
                                              "too long",
                              "check the server's limit for the length of queries"));
  }
}

// The second half is one more part.
bool MergedDownload::split(const Job& job) {
  const TimeWindow& window = job.query.window;
  const int64_t length = window.end - window.begin;
  if (length < 2 * kShortestPart) return false;
  const int64_t middle = window.begin + length / 2 / kSecond * kSecond;
  Job first = job, second = job;
  first.query.window.end = second.query.window.begin = middle;
  states_[job.object].parts++;
  again_.push_back(std::move(first));
  again_.push_back(std::move(second));
  return true;
}

Result<void> MergedDownload::add_part(size_t object, const std::string& pprof) {
  if (pprof.empty()) return ok();
  const std::string name = shown(object);
  PGO_TRY(InflatedBytes message, inflate(as_bytes(pprof), name));
  Diagnostics diagnostics;
  PGO_TRY(StackProfile profile, parse_pprof(message.bytes(), name, diagnostics));
  store_.repair(profile);
  State& state = states_[object];
  if (profile.samples.empty()) {
    if (!state.empty) state.empty = std::move(profile);
    return ok();
  }
  return state.merger.add(profile, name);
}

void MergedDownload::end_part(size_t object, const Result<void>& outcome) {
  State& state = states_[object];
  if (!outcome && !state.error) state.error = outcome.error();
  if (--state.parts > 0) return;
  Result<void> delivered = state.error ? fail(*state.error) : deliver(object);
  state = {};
  sink_.end(object, std::move(delivered));
}

Result<void> MergedDownload::deliver(size_t object) {
  State& state = states_[object];
  StackProfile profile;
  if (!state.merger.empty()) {
    Diagnostics diagnostics;
    profile = std::move(state.merger).finish(diagnostics);
  } else if (state.empty) {
    profile = *std::move(state.empty);
  }
  if (profile.sample_types.empty())
    profile.sample_types = {{profile.strings.add("samples"), profile.strings.add("count")}};
  const TimeWindow& window = queries_.at(objects_[object].name).window;
  profile.time = window.begin;
  profile.duration = window.end - window.begin;
  profile.normalize();
  PGO_TRY(const std::string bytes, gzip(write_pprof(profile)));
  PGO_CHECK(sink_.begin(object));
  return sink_.append(object, as_bytes(bytes));
}

}  // namespace

void download_merged(std::span<const SourceObject> objects,
                     const std::map<std::string, MergedQuery>& queries, const MergingStore& store,
                     const std::string& source, net::HttpClient& client, ObjectSink& sink) {
  MergedDownload download(objects, queries, store, source, sink);
  client.run_in_memory([&] { return download.next(); });
}

}  // namespace pgo::store_access
