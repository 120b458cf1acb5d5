#include "pgo/stores/s3/s3_destination.h"

#include <utility>

#include "pgo/source/profile_key.h"
#include "pgo/stores/s3/s3_writer.h"

namespace pgo::s3 {
namespace {

class S3Destination final : public ProfileDestination {
 public:
  explicit S3Destination(S3Bucket bucket)
      : bucket_(std::move(bucket)), name_(bucket_.address().text()), writer_(bucket_, {}) {}

  const std::string& name() const override { return name_; }
  KeptForm form() const override { return KeptForm::kFile; }
  Result<std::vector<std::string>> put(const OutgoingProfile& profile, Diagnostics&) override {
    PGO_TRY(const std::string key, profile_key(profile));
    PGO_CHECK(writer_.put(key, profile.file, "application/octet-stream"));
    return std::vector<std::string>{name_ + "/" + key};
  }

 private:
  S3Bucket bucket_;
  std::string name_;
  S3Writer writer_;
};

}  // namespace

Result<std::unique_ptr<ProfileDestination>> open_s3_destination(const std::string& text,
                                                                const Environment& environment,
                                                                const net::HttpOptions& http) {
  PGO_TRY(S3Address address, parse_s3_url(text));
  PGO_TRY(S3Bucket bucket, S3Bucket::open(std::move(address), environment, http));
  return std::unique_ptr<ProfileDestination>(std::make_unique<S3Destination>(std::move(bucket)));
}

}  // namespace pgo::s3
