// S3Source: the objects below a prefix of a bucket, in any store that is compatible with S3.
//
//   PGO_TRY(std::unique_ptr<Source> source, open_s3_source("s3://profiles/queryd", environment,
//   http));
//
// A prefix stands for the objects "below" it, as a directory does: "s3://profiles/queryd" does not
// have those of "queryd2/". When there are none, it is the key of one object. Empty objects whose
// keys end in '/' stand for directories and are left out.
//
// A transfer that breaks is continued behind what has arrived, by a range, when the object has an
// ETag; a store that ignores the range sends it all again.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "pgo/source/source.h"
#include "pgo/stores/s3/s3_bucket.h"

namespace pgo::s3 {

class S3Source : public Source {
 public:
  // A list of more objects is refused: a broken store could go on for ever.
  static constexpr size_t kMaxObjects = 10'000'000;

  explicit S3Source(S3Bucket bucket, size_t max_objects = kMaxObjects);

  const std::string& name() const override { return name_; }
  const std::string& identity() const override { return identity_; }
  // The query is not looked at: a store of objects knows keys only.
  Result<std::vector<SourceObject>> list(const SourceQuery& query,
                                         Diagnostics& diagnostics) override;
  void fetch(std::span<const SourceObject> objects, ObjectSink& sink) override;

 private:
  class Transfer;
  Result<std::vector<SourceObject>> list_below(const std::string& prefix);
  std::string key_of(const std::string& name) const;

  S3Bucket bucket_;
  std::string name_, identity_;
  size_t max_objects_;
  bool is_one_object_ = false;  // the prefix is the key of the only object
};

// Errors: kUsage of the URL; those of read_aws_settings(). Nothing is sent.
Result<std::unique_ptr<Source>> open_s3_source(const std::string& url,
                                               const Environment& environment,
                                               const net::HttpOptions& http);

}  // namespace pgo::s3
