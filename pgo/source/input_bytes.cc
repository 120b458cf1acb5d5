#include "pgo/source/input_bytes.h"

#include <utility>

namespace pgo {

InputBytes::InputBytes(MappedFile file) : file_(std::move(file)) {
  // Address profiles are compressed by their own format.
  format_ = detect_format(file_.bytes());
  if (format_) {
    inflated_ = InflatedBytes(file_.bytes());
    return;
  }
  compression_ = find_compression(file_.bytes());
  if (compression_ == Compression::kNone) {
    inflated_ = InflatedBytes(file_.bytes());
    return;
  }
  Result<InflatedBytes> inflated = inflate(file_.bytes(), file_.path());
  if (!inflated) {
    damage_ = inflated.error();
    return;
  }
  inflated_ = *std::move(inflated);
  inner_format_ = detect_format(contents());
  if (inner_format_ && info_of(*inner_format_).may_be_compressed) format_ = inner_format_;
}

Result<InputBytes> InputBytes::open(const std::string& path) {
  PGO_TRY(MappedFile file, MappedFile::open(path));
  return InputBytes(std::move(file));
}

std::string InputBytes::describe(const std::string& wanted) const {
  return format_ ? path() + ": is " + info_of(*format_).with_article() + wanted
                 : unknown().error.message;
}

Failure InputBytes::unknown() const {
  if (damage_) return Failure{*damage_};
  if (file().empty())
    return fail(ErrorKind::kInput, path() + ": is empty; was it cut short, or never finished?");
  if (compression_ == Compression::kNone)
    return fail(ErrorKind::kUnsupported, path() + ": " + describe_foreign_format(contents()));
  const bool is_gzip = compression_ == Compression::kGzip;
  std::string is_compressed = path() + ": is compressed by " + (is_gzip ? "gzip" : "zstd");
  if (contents().empty())
    return fail(ErrorKind::kInput,
                is_compressed + ", and nothing is inside; was it cut short, or never finished?");
  if (inner_format_)
    return fail(ErrorKind::kUnsupported,
                is_compressed + " (" + std::string(info_of(*inner_format_).name) +
                    "); uncompress it first (" + (is_gzip ? "gunzip" : "unzstd") + ")");
  return fail(ErrorKind::kUnsupported,
              is_compressed + ", and what is inside " + describe_foreign_format(contents()));
}

}  // namespace pgo
