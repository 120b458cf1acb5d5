#include "pgo/store_access/merged_download.h"

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
    Diagnostics diagnostics;
    std::optional<Error> error;  // the first
  };
  struct Job {
    size_t object = 0;
    MergedQuery query;
  };

  void take(Job job, Result<net::HttpResponse> response);
  void take_refusal(Job job, ApiAnswer answer);
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
  const MergeRequest merge = store_.request(job.query);
  net::HttpRequest request = store_.api().request(merge.method, merge.message);
  request.shown = shown(job.object);
  return net::MemoryRequest{std::move(request), [this, job = std::move(job)](auto response) {
                              take(job, std::move(response));
                            }};
}

void MergedDownload::take(Job job, Result<net::HttpResponse> response) {
  const size_t object = job.object;
  if (!response) return end_part(object, fail(response.error()));
  ApiAnswer answer = store_.api().read(*response, shown(object));
  if (answer.kind == ApiAnswer::Kind::kNothing) return end_part(object, ok());
  if (answer.kind != ApiAnswer::Kind::kMessage)
    return take_refusal(std::move(job), std::move(answer));
  const Result<std::string> pprof = store_.pprof_of(answer.message, job.query);
  end_part(object, pprof ? add_part(object, *pprof) : fail(pprof.error()));
}

// Another form may be known to the server, and halves be short enough: the second is one more part.
void MergedDownload::take_refusal(Job job, ApiAnswer answer) {
  if (answer.kind == ApiAnswer::Kind::kUnknownMethod && job.query.form + 1 < store_.forms()) {
    job.query.form++;
    return again_.push_back(std::move(job));
  }
  if (answer.kind != ApiAnswer::Kind::kTooMuch)
    return end_part(job.object, fail(std::move(answer.error)));
  const auto halves = halves_of(job.query.window);
  if (!halves) {
    answer.error.advice = "even a minute is too much for the server: check its limits";
    return end_part(job.object, fail(std::move(answer.error)));
  }
  states_[job.object].parts++;
  Job second = job;
  job.query.window = halves->first;
  second.query.window = halves->second;
  again_.push_back(std::move(job));
  again_.push_back(std::move(second));
}

Result<void> MergedDownload::add_part(size_t object, const std::string& pprof) {
  if (pprof.empty()) return ok();
  const std::string name = shown(object);
  PGO_TRY(InflatedBytes message, inflate(as_bytes(pprof), name));
  State& state = states_[object];
  PGO_TRY(StackProfile profile, parse_pprof(message.bytes(), name, state.diagnostics));
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
  const MergedQuery& query = queries_.at(objects_[object].name);
  StackProfile profile;
  if (!state.merger.empty()) {
    profile = std::move(state.merger).finish(state.diagnostics);
  } else if (query.listed != 0) {
    return fail(ErrorKind::kIo,
                shown(object) + ": the server lists profiles there that count " +
                    std::to_string(query.listed) + ", and answers without samples",
                "fetch again; if it stays so, the server has lost them");
  } else if (state.empty) {
    profile = *std::move(state.empty);
  }
  if (profile.sample_types.empty())
    profile.sample_types = {{profile.strings.add("samples"), profile.strings.add("count")}};
  store_.repair(profile, query, shown(object), state.diagnostics);
  profile.time = query.window.begin;
  profile.duration = query.window.end - query.window.begin;
  profile.normalize();
  PGO_TRY(const std::string bytes, gzip(write_pprof(profile)));
  PGO_CHECK(sink_.begin(object));
  PGO_CHECK(sink_.append(object, as_bytes(bytes)));
  sink_.warn(object, state.diagnostics);
  return ok();
}

}  // namespace

void download_merged(std::span<const SourceObject> objects,
                     const std::map<std::string, MergedQuery>& queries, const MergingStore& store,
                     const std::string& source, net::HttpClient& client, ObjectSink& sink) {
  MergedDownload download(objects, queries, store, source, sink);
  client.run_in_memory([&] { return download.next(); });
}

}  // namespace pgo::store_access
