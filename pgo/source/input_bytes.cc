#include "pgo/source/input_bytes.h"
#include "pgo/base/text_bytes.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace pgo {

namespace {

std::optional<Format> detect_format(const std::string& start) {
  return pgo::detect_format(as_bytes(start));
}

// May it be the start of a file that is read here? Of what is compressed, so much may not be enough
// to tell.
bool has_known_start(Bytes start) {
  if (pgo::detect_format(start)) return true;
  if (find_compression(start) == Compression::kNone) return false;
  std::string inside = inflate_start(start, kKindBytes);
  return inside.size() < kKindBytes || detect_format(inside).has_value();
}

// Is a file with such contents read as it is?
bool may_be_compressed(std::optional<Format> contents) {
  return contents && info_of(*contents).may_be_compressed;
}

std::optional<Format> format_of_contents(Bytes contents) {
  return pgo::detect_format(contents.first(std::min(contents.size(), kKindBytes)));
}

// Of a small file, all that it contains: to inflate only its start takes zlib three times as long
// as libdeflate takes for the whole. Nothing for files that are large, damaged, or not to be
// inflated as a whole.
std::optional<InflatedBytes> inflate_small_file(Bytes file, const std::string& name) {
  constexpr uint64_t kMaxContents = uint64_t{1} << 20;
  if (file.size() > kKindBytes) return std::nullopt;
  Result<InflatedBytes> whole = inflate(file, name, kMaxContents);
  if (!whole) return std::nullopt;
  const Bytes contents = whole->bytes();
  if (contents.size() >= kKindBytes && !may_be_compressed(format_of_contents(contents)))
    return std::nullopt;
  return *std::move(whole);
}

}  // namespace

// What is compressed is inflated as a whole only when its first bytes are of a format that is read
// so: a file that is compressed twice could stand for anything.
InputBytes::InputBytes(MappedFile file, std::string name)
    : file_(std::move(file)), name_(std::move(name)) {
  // Address profiles are compressed by their own format.
  format_ = pgo::detect_format(file_.bytes());
  if (!format_) compression_ = find_compression(file_.bytes());
  if (compression_ == Compression::kNone) {
    inflated_ = InflatedBytes(file_.bytes());
    return;
  }
  if (std::optional<InflatedBytes> whole = inflate_small_file(file_.bytes(), name_)) {
    inflated_ = *std::move(whole);
    inner_format_ = format_of_contents(contents());
    if (may_be_compressed(inner_format_)) format_ = inner_format_;
    return;
  }
  const std::string start = inflate_start(file_.bytes(), kKindBytes);
  inner_format_ = detect_format(start);
  const bool is_read = may_be_compressed(inner_format_);
  // Less than that is all there is, or it is damaged.
  if (!is_read && start.size() == kKindBytes) {
    auto copy = std::make_unique<uint8_t[]>(start.size());
    std::copy(start.begin(), start.end(), copy.get());
    inflated_ = InflatedBytes(std::move(copy), start.size());
    return;
  }
  Result<InflatedBytes> inflated = inflate(file_.bytes(), name_);
  if (!inflated) {
    damage_ = inflated.error();
    return;
  }
  inflated_ = *std::move(inflated);
  if (is_read) format_ = inner_format_;
}

Result<InputBytes> InputBytes::open(const std::string& path, const std::string& name) {
  PGO_TRY(MappedFile file, MappedFile::open(path, {.wants = has_known_start}));
  return InputBytes(std::move(file), name);
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
    return fail(
        ErrorKind::kInput,
        is_compressed + ", but its contents are empty; was it cut short, or never finished?");
  if (inner_format_)
    return fail(ErrorKind::kUnsupported,
                is_compressed + " (" + std::string(info_of(*inner_format_).name) +
                    "); uncompress it first (" + (is_gzip ? "gunzip" : "unzstd") + ")");
  return fail(ErrorKind::kUnsupported,
              is_compressed + ", and what is inside " + describe_foreign_format(contents()));
}

}  // namespace pgo
