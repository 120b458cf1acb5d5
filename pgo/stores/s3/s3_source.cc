#include "pgo/stores/s3/s3_source.h"

#include <algorithm>
#include <charconv>
#include <deque>

#include "pgo/base/number_text.h"
#include "pgo/base/shown_url.h"
#include "pgo/source/source_address.h"

namespace pgo::s3 {

namespace {

// How a version begins that is no ETag.
constexpr std::string_view kByTime = "modified at ";

std::string place_of(const S3Bucket& bucket) {
  return bucket.endpoint().empty() ? "AWS" : url_without_secrets(bucket.endpoint());
}

// "queryd" of "hosts/queryd".
std::string last_component(const std::string& key) { return key.substr(key.rfind('/') + 1); }

SourceObject object_of(const ListedObject& listed, std::string name) {
  SourceObject object;
  object.name = std::move(name);
  object.size = listed.size;
  if (listed.modified) {
    object.time = *listed.modified;
    object.time_evidence = TimeEvidence::kModified;
  }
  object.version = listed.etag;
  // Some stores list no ETags.
  if (object.version.empty() && listed.size && listed.modified)
    object.version = std::string(kByTime) + std::to_string(*listed.modified) + ", " +
                     std::to_string(*listed.size) + " bytes";
  return object;
}

// The object as it was listed, by what an answer says of it.
Result<void> check_unchanged(const SourceObject& object, const net::HttpResponse& answer,
                             const std::string& shown) {
  const std::string etag = unquoted_etag(answer.header("etag"));
  uint64_t size = 0;
  const std::string& length = answer.header("content-length");
  const bool has_length =
      std::from_chars(length.data(), length.data() + length.size(), size).ec == std::errc();
  const bool has_etags =
      !etag.empty() && !object.version.empty() && !object.version.starts_with(kByTime);
  const bool is_other =
      (has_etags && etag != object.version) || (object.size && has_length && size != *object.size);
  if (is_other)
    return fail(ErrorKind::kIo, shown + ": the object changed since it was listed",
                "run this again");
  return ok();
}

}  // namespace

// One object on its way to the sink.
class S3Source::Transfer : public net::HttpTransfer {
 public:
  struct Job {
    size_t index = 0;
    unsigned adaptations = 0;
  };

  Transfer(S3Source& source, Job job, const SourceObject& object, ObjectSink& sink,
           std::deque<Job>& again)
      : bucket_(source.bucket_), job_(job), object_(object), sink_(sink), again_(again) {
    request_.key = source.key_of(object.name);
  }

  Result<net::HttpRequest> request() override {
    request_.headers.clear();
    if (arrived_ > 0 && arrived_ < object_.size.value_or(0) && !etag_.empty()) {
      request_.headers.emplace_back("range", "bytes=" + std::to_string(arrived_) + "-");
      request_.headers.emplace_back("if-match", "\"" + etag_ + "\"");
    }
    Result<net::HttpRequest> signed_request = bucket_.sign(request_);
    signing_ = bucket_.signing();
    return signed_request;
  }

  Result<void> begin(const net::HttpResponse& headers) override {
    const std::string range = "bytes " + std::to_string(arrived_) + "-";
    if (headers.status == 206) {
      if (arrived_ > 0 && headers.header("content-range").starts_with(range) &&
          unquoted_etag(headers.header("etag")) == etag_)
        return ok();
      return fail(ErrorKind::kInput,
                  bucket_.shown(request_.key) + ": the store sent another part than was asked for");
    }
    PGO_CHECK(check_unchanged(object_, headers, bucket_.shown(request_.key)));
    etag_ = unquoted_etag(headers.header("etag"));
    arrived_ = 0;
    return sink_.begin(job_.index);
  }

  Result<void> append(Bytes body) override {
    arrived_ += body.size();
    return sink_.append(job_.index, body);
  }

  void end(Result<net::HttpResponse> outcome) override {
    if (!outcome) return sink_.end(job_.index, fail(outcome.error()));
    if (!outcome->is_success()) {
      if (job_.adaptations < kMaxAdaptations && bucket_.adapt(*outcome, signing_))
        again_.push_back({job_.index, job_.adaptations + 1});
      else
        sink_.end(job_.index, fail(bucket_.refusal_of(request_, *outcome)));
      return;
    }
    if (object_.size && *object_.size != arrived_)
      return sink_.end(job_.index, fail(ErrorKind::kIo,
                                        bucket_.shown(request_.key) + ": " + format_size(arrived_) +
                                            " arrived of " + format_size(*object_.size),
                                        "run this again"));
    sink_.end(job_.index, ok());
  }

 private:
  S3Bucket& bucket_;
  Job job_;
  const SourceObject& object_;
  ObjectSink& sink_;
  std::deque<Job>& again_;
  S3Request request_;
  Signing signing_;
  std::string etag_;      // of what has arrived
  uint64_t arrived_ = 0;  // bytes that the sink has
};

S3Source::S3Source(S3Bucket bucket, size_t max_objects)
    : bucket_(std::move(bucket)),
      name_(bucket_.address().text()),
      identity_(name_ + " at " + place_of(bucket_)),
      max_objects_(max_objects) {}

Result<std::vector<SourceObject>> S3Source::list_below(const std::string& prefix) {
  std::vector<SourceObject> objects;
  S3Request request;
  request.action = Action::kList;
  request.shown = name_;
  std::string token;
  for (;;) {
    request.query = {{"list-type", "2"}, {"max-keys", "1000"}};
    if (!prefix.empty()) request.query.emplace_back("prefix", prefix);
    if (!token.empty()) request.query.emplace_back("continuation-token", token);
    PGO_TRY(const net::HttpResponse response, bucket_.send(request));
    PGO_TRY(ListPage page, parse_list(response.body, name_));
    for (ListedObject& listed : page.objects) {
      if (listed.key.ends_with('/') && listed.size.value_or(0) == 0) continue;
      if (!listed.key.starts_with(prefix))
        return fail(ErrorKind::kInput, name_ + ": the store lists objects of another prefix");
      objects.push_back(object_of(listed, listed.key.substr(prefix.size())));
    }
    // A list that does not move on would not end.
    if (page.next.empty()) break;
    if (page.next == token || page.objects.empty())
      return fail(ErrorKind::kInput, name_ + ": the store's list of objects does not end");
    if (objects.size() > max_objects_)
      return fail(ErrorKind::kUnsupported,
                  name_ + ": has more than " + std::to_string(max_objects_) + " objects",
                  "name a longer prefix");
    token = std::move(page.next);
  }
  std::sort(objects.begin(), objects.end(),
            [](const SourceObject& a, const SourceObject& b) { return a.name < b.name; });
  const auto same = [](const SourceObject& a, const SourceObject& b) { return a.name == b.name; };
  objects.erase(std::unique(objects.begin(), objects.end(), same), objects.end());
  return objects;
}

Result<std::vector<SourceObject>> S3Source::list(const SourceQuery&, Diagnostics&) {
  const std::string& prefix = bucket_.address().prefix;
  is_one_object_ = false;
  if (prefix.empty()) return list_below("");
  PGO_TRY(std::vector<SourceObject> objects, list_below(prefix + "/"));
  if (!objects.empty()) return objects;
  // It may be the key of one object. (Its list may be long, but the key itself sorts first.)
  const S3Request request{.query = {{"list-type", "2"}, {"max-keys", "1"}, {"prefix", prefix}},
                          .action = Action::kList,
                          .shown = name_};
  PGO_TRY(const net::HttpResponse response, bucket_.send(request));
  PGO_TRY(const ListPage page, parse_list(response.body, name_));
  for (const ListedObject& listed : page.objects) {
    if (listed.key != prefix) continue;
    objects.push_back(object_of(listed, last_component(prefix)));
    is_one_object_ = true;
  }
  return objects;
}

std::string S3Source::key_of(const std::string& name) const {
  const std::string& prefix = bucket_.address().prefix;
  if (is_one_object_) return prefix;
  return prefix.empty() ? name : prefix + "/" + name;
}

void S3Source::fetch(std::span<const SourceObject> objects, ObjectSink& sink) {
  size_t next = 0;
  std::deque<Transfer::Job> again;
  const auto next_transfer = [&]() -> std::unique_ptr<net::HttpTransfer> {
    Transfer::Job job;
    if (!again.empty()) {
      job = again.front();
      again.pop_front();
    } else if (next < objects.size()) {
      job.index = next++;
    } else {
      return nullptr;
    }
    return std::make_unique<Transfer>(*this, job, objects[job.index], sink, again);
  };
  // The last ones may have to be sent again when no others are left.
  do {
    bucket_.client().run(next_transfer);
  } while (!again.empty());
}

Result<std::unique_ptr<Source>> open_s3_source(const std::string& url,
                                               const Environment& environment,
                                               const net::HttpOptions& http) {
  PGO_TRY(S3Address address, parse_s3_url(url));
  PGO_TRY(S3Bucket bucket, S3Bucket::open(std::move(address), environment, http));
  return std::unique_ptr<Source>(std::make_unique<S3Source>(std::move(bucket)));
}

}  // namespace pgo::s3
