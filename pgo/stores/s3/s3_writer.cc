#include "pgo/stores/s3/s3_writer.h"

#include <algorithm>
#include <charconv>
#include <deque>

#include "pgo/base/markup_text.h"
#include "pgo/base/sha256.h"
#include "pgo/base/text_bytes.h"

namespace pgo::s3 {

namespace {

constexpr uint64_t kMaxParts = 10'000;
constexpr const char* kDigestHeader = "x-amz-meta-sha256";

// 12 of "bytes 0-0/12".
std::optional<uint64_t> whole_size(const std::string& content_range) {
  const size_t begin = content_range.find('/') + 1;
  uint64_t size = 0;
  const char* end = content_range.data() + content_range.size();
  const auto [rest, error] = std::from_chars(content_range.data() + begin, end, size);
  if (begin == 0 || error != std::errc() || rest != end) return std::nullopt;
  return size;
}

// Did somebody write the object before, or does somebody write it now?
bool is_taken(const StoreError& error) {
  return error.status == 412 || error.code == "PreconditionFailed" ||
         error.code == "ConditionalRequestConflict";
}

}  // namespace

struct S3Writer::Upload {
  std::string key, id;
  Bytes bytes;
  uint64_t part_size = 0;
  std::vector<std::string> etags;  // of the parts, as the store writes them
  Result<void> outcome = ok();     // the first error

  Bytes part(size_t index) const {
    const uint64_t begin = index * part_size;
    return bytes.subspan(begin, std::min<uint64_t>(part_size, bytes.size() - begin));
  }
};

// One part on its way to the store. It is in memory twice only while it is sent.
class S3Writer::PartTransfer : public net::HttpTransfer {
 public:
  struct Job {
    size_t index = 0;
    unsigned adaptations = 0;
  };

  PartTransfer(S3Bucket& bucket, Upload& upload, Job job, std::deque<Job>& again)
      : bucket_(bucket), upload_(upload), job_(job), again_(again) {}

  Result<net::HttpRequest> request() override {
    S3Request part = description();
    part.body = as_text(upload_.part(job_.index));
    Result<net::HttpRequest> request = bucket_.sign(part);
    signing_ = bucket_.signing();
    return request;
  }
  Result<void> begin(const net::HttpResponse&) override { return ok(); }
  Result<void> append(Bytes) override { return ok(); }

  void end(Result<net::HttpResponse> outcome) override {
    if (!outcome) {
      fail_upload(outcome.error());
    } else if (!outcome->is_success()) {
      if (job_.adaptations < kMaxAdaptations && bucket_.adapt(*outcome, signing_))
        again_.push_back({job_.index, job_.adaptations + 1});
      else
        fail_upload(bucket_.refusal_of(description(), *outcome));
    } else {
      upload_.etags[job_.index] = outcome->header("etag");
      if (upload_.etags[job_.index].empty())
        fail_upload({ErrorKind::kInput,
                     bucket_.shown(upload_.key) + ": the store gave no ETag for a part"});
    }
  }

 private:
  S3Request description() const {
    return {.method = "PUT",
            .key = upload_.key,
            .query = {{"partNumber", std::to_string(job_.index + 1)}, {"uploadId", upload_.id}},
            .action = Action::kWrite};
  }
  void fail_upload(Error error) {
    if (upload_.outcome) upload_.outcome = fail(std::move(error));
  }

  S3Bucket& bucket_;
  Upload& upload_;
  Job job_;
  std::deque<Job>& again_;
  Signing signing_;
};

Result<void> S3Writer::put(const std::string& key, Bytes bytes, const std::string& content_type) {
  PGO_TRY([[maybe_unused]] const bool is_put,
          put_if(Condition::kNone, whole_key(key), bytes, {{"content-type", content_type}}));
  return ok();
}

Result<bool> S3Writer::put_new(const std::string& key, Bytes bytes,
                               const std::string& content_type) {
  return put_if(Condition::kIsNew, whole_key(key), bytes,
                {{"content-type", content_type}, {kDigestHeader, Sha256::hex_of(bytes)}});
}

// The first byte is asked for, and not the headers alone: an answer without a body has no code that
// tells a missing key from a missing bucket, or says what is wrong with the keys.
Result<std::optional<KeptObject>> S3Writer::find(const std::string& key) {
  const S3Request request{.key = whole_key(key), .headers = {{"range", "bytes=0-0"}}};
  PGO_TRY(const std::optional<net::HttpResponse> response, bucket_.find(request));
  if (!response) return std::optional<KeptObject>();
  const std::optional<uint64_t> size = whole_size(response->header("content-range"));
  if (!size)
    return fail(ErrorKind::kInput,
                bucket_.shown(request.key) + ": the store does not say how large the object is");
  return std::optional<KeptObject>({*size, response->header(kDigestHeader)});
}

Result<std::string> S3Writer::read_digest(const std::string& key, uint64_t size) {
  Sha256 hash;
  for (uint64_t begin = 0; begin < size;) {
    const uint64_t end = std::min(size, begin + options_.part_size);
    const std::string range =
        "bytes=" + std::to_string(begin) + "-" + std::to_string(end - 1);  // inclusive
    const S3Request request{.key = whole_key(key), .headers = {{"range", range}}};
    PGO_TRY(const net::HttpResponse response, bucket_.send(request));
    if (response.body.size() != end - begin)
      return fail(ErrorKind::kInput, bucket_.shown(request.key) + ": the store sent " +
                                         std::to_string(response.body.size()) + " bytes of " +
                                         range);
    hash.add(as_bytes(response.body));
    begin = end;
  }
  return hash.hex();
}

std::string S3Writer::whole_key(const std::string& key) const {
  const std::string& prefix = bucket_.address().prefix;
  return prefix.empty() ? key : prefix + "/" + key;
}

Result<std::optional<net::HttpResponse>> S3Writer::send_if(Condition condition, S3Request request) {
  using Answer = std::optional<net::HttpResponse>;
  if (condition == Condition::kIsNew) request.headers.emplace_back("if-none-match", "*");
  PGO_TRY(net::HttpResponse response, bucket_.answer_to(request));
  if (response.is_success()) return Answer(std::move(response));
  const StoreError error = parse_error(response.status, response.body);
  if (condition == Condition::kIsNew && is_taken(error)) return Answer();
  if (condition == Condition::kIsNew && response.status == 501) {  // it does not know conditions
    request.headers.pop_back();
    return send_if(Condition::kNone, std::move(request));
  }
  return fail(bucket_.refusal_of(request, response));
}

Result<bool> S3Writer::put_if(Condition condition, const std::string& key, Bytes bytes,
                              const Headers& headers) {
  if (bytes.size() > options_.part_size) return put_parts(condition, key, bytes, headers);
  S3Request request{.method = "PUT", .key = key, .headers = headers, .action = Action::kWrite};
  request.body = as_text(bytes);
  PGO_TRY(const std::optional<net::HttpResponse> answer, send_if(condition, std::move(request)));
  return answer.has_value();
}

Result<bool> S3Writer::put_parts(Condition condition, const std::string& key, Bytes bytes,
                                 const Headers& headers) {
  S3Request begin{.method = "POST",
                  .key = key,
                  .query = {{"uploads", ""}},
                  .headers = headers,
                  .action = Action::kWrite};
  PGO_TRY(const net::HttpResponse response, bucket_.send(begin));
  Upload upload;
  upload.key = key;
  upload.bytes = bytes;
  upload.part_size = std::max(options_.part_size, (bytes.size() + kMaxParts - 1) / kMaxParts);
  upload.etags.resize((bytes.size() + upload.part_size - 1) / upload.part_size);
  PGO_TRY(upload.id, parse_upload_id(response.body, bucket_.shown(key)));

  const Result<void> sent = send_parts(upload);
  Result<bool> outcome = sent ? complete(condition, upload) : fail(sent.error());
  if (outcome && *outcome) return true;
  // The first error counts, whatever becomes of this.
  const S3Request abort{
      .method = "DELETE", .key = key, .query = {{"uploadId", upload.id}}, .action = Action::kWrite};
  (void)bucket_.send(abort);
  return outcome;
}

Result<void> S3Writer::send_parts(Upload& upload) {
  size_t next = 0;
  std::deque<PartTransfer::Job> again;
  const auto next_transfer = [&]() -> std::unique_ptr<net::HttpTransfer> {
    PartTransfer::Job job;
    if (!upload.outcome) return nullptr;
    if (!again.empty()) {
      job = again.front();
      again.pop_front();
    } else if (next < upload.etags.size()) {
      job.index = next++;
    } else {
      return nullptr;
    }
    return std::make_unique<PartTransfer>(bucket_, upload, job, again);
  };
  do {
    bucket_.client().run(next_transfer);
  } while (upload.outcome && !again.empty());
  return upload.outcome;
}

Result<bool> S3Writer::complete(Condition condition, const Upload& upload) {
  S3Request request{.method = "POST",
                    .key = upload.key,
                    .query = {{"uploadId", upload.id}},
                    .headers = {{"content-type", "application/xml"}},
                    .action = Action::kWrite};
  request.body = "<CompleteMultipartUpload>";
  for (size_t i = 0; i < upload.etags.size(); ++i)
    request.body += "<Part><PartNumber>" + std::to_string(i + 1) + "</PartNumber><ETag>" +
                    markup_text(upload.etags[i]) + "</ETag></Part>";
  request.body += "</CompleteMultipartUpload>";
  PGO_TRY(const std::optional<net::HttpResponse> answer, send_if(condition, request));
  if (!answer) return false;
  const std::optional<StoreError> error = parse_completion(answer->body);
  if (!error) return true;
  if (condition == Condition::kIsNew && is_taken(*error)) return false;
  return fail(bucket_.refusal_of(request, *error));
}

}  // namespace pgo::s3
