#include "pgo/base/inflate.h"

#include <libdeflate.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>

#include "pgo/base/growing_buffer.h"

namespace pgo {
namespace {

Failure too_large(const std::string& name, uint64_t limit) {
  return fail(ErrorKind::kInput,
              name + ": inflates to more than " + std::to_string(limit) +
                  " bytes, which is the limit; is it a profile? recordings are read "
                  "uncompressed");
}

// What the last member says its size is, modulo 2^32. Deflate makes 1032 bytes of one at most.
uint64_t guess_size(Bytes bytes) {
  constexpr uint64_t kMaxPerByte = 1032, kLeast = 4096;
  uint64_t said = bytes.size() < 4 ? 0 : load_le<uint32_t>(bytes.data() + bytes.size() - 4);
  return std::clamp<uint64_t>(said, kLeast, kLeast + kMaxPerByte * bytes.size());
}

Result<InflatedBytes> inflate_gzip(Bytes bytes, const std::string& name, uint64_t limit) {
  std::unique_ptr<libdeflate_decompressor, decltype(&libdeflate_free_decompressor)> inflater(
      libdeflate_alloc_decompressor(), &libdeflate_free_decompressor);
  if (!inflater) return fail(ErrorKind::kInternal, name + ": no memory to inflate it");
  GrowingBuffer out(limit);
  out.grow(guess_size(bytes));
  size_t member = 1;
  for (size_t at = 0; at < bytes.size();) {
    size_t read = 0, written = 0;
    libdeflate_result result =
        libdeflate_gzip_decompress_ex(inflater.get(), bytes.data() + at, bytes.size() - at,
                                      out.end(), out.room(), &read, &written);
    if (result == LIBDEFLATE_INSUFFICIENT_SPACE) {
      if (!out.grow(0)) return too_large(name, limit);
      continue;
    }
    if (result != LIBDEFLATE_SUCCESS)
      return fail(ErrorKind::kInput, name + ": gzip member " + std::to_string(member) +
                                         ", at byte " + std::to_string(at) +
                                         ", is damaged or cut short");
    out.take(written);
    at += read;
    member++;
  }
  return std::move(out).finish();
}

// libzstd's inflater of this thread, ready to begin. To make one, libzstd asks the processor what
// it can do, which takes 10 µs in a virtual machine: as much as inflating a small profile. So a
// thread keeps its own, unless a file has made it large.
class ZstdInflater {
 public:
  ZstdInflater() {
    if (!kept()) kept().reset(ZSTD_createDCtx());
    if (kept()) ZSTD_DCtx_reset(kept().get(), ZSTD_reset_session_only);
  }
  ZstdInflater(const ZstdInflater&) = delete;
  ZstdInflater& operator=(const ZstdInflater&) = delete;
  ~ZstdInflater() {
    constexpr size_t kKeptSize = size_t{1} << 20;
    if (kept() && ZSTD_sizeof_DCtx(kept().get()) > kKeptSize) kept().reset();
  }

  explicit operator bool() const { return kept() != nullptr; }
  ZSTD_DCtx* get() const { return kept().get(); }

 private:
  struct Free {
    void operator()(ZSTD_DCtx* inflater) const { ZSTD_freeDCtx(inflater); }
  };
  static std::unique_ptr<ZSTD_DCtx, Free>& kept() {
    thread_local std::unique_ptr<ZSTD_DCtx, Free> inflater;
    return inflater;
  }
};

Result<InflatedBytes> inflate_zstd(Bytes bytes, const std::string& name, uint64_t limit) {
  const ZstdInflater inflater;
  if (!inflater) return fail(ErrorKind::kInternal, name + ": no memory to inflate it");
  GrowingBuffer out(limit);
  unsigned long long said = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
  bool is_known = said != ZSTD_CONTENTSIZE_UNKNOWN && said != ZSTD_CONTENTSIZE_ERROR;
  // A frame that claims much is believed as it comes.
  constexpr uint64_t kAtFirst = 1 << 24;
  out.grow(is_known ? std::clamp<uint64_t>(said, 1, kAtFirst) : 4 * bytes.size());
  ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
  size_t left = 1;
  while (in.pos < in.size || left != 0) {
    ZSTD_outBuffer to{out.end(), out.room(), 0};
    size_t before = in.pos;
    left = ZSTD_decompressStream(inflater.get(), &to, &in);
    if (ZSTD_isError(left) != 0)
      return fail(ErrorKind::kInput, name + ": zstd data is damaged near byte " +
                                         std::to_string(in.pos) + ": " + ZSTD_getErrorName(left));
    out.take(to.pos);
    if (out.room() > 0 && in.pos == in.size && left != 0)
      return fail(ErrorKind::kInput, name + ": zstd data is cut short");
    bool stuck = in.pos == before && to.pos == 0;
    if (out.room() == 0 && (left != 0 || in.pos < in.size) && !out.grow(0) && stuck)
      return too_large(name, limit);
  }
  return std::move(out).finish();
}

// Both fill `start` as far as they get, and say how far that is. libdeflate inflates whole members
// only, so gzip is zlib's here.
size_t start_gzip(Bytes bytes, std::string& start) {
  constexpr int kLargestWindow = 15, kGzip = 16;
  constexpr size_t kMaxAtOnce = size_t{1} << 30;  // zlib counts in 32 bits
  z_stream inflater{};
  if (inflateInit2(&inflater, kLargestWindow + kGzip) != Z_OK) return 0;
  inflater.next_in = const_cast<Bytef*>(bytes.data());  // which it does not write to
  inflater.avail_in = static_cast<uInt>(std::min(bytes.size(), kMaxAtOnce));
  inflater.next_out = reinterpret_cast<Bytef*>(start.data());
  inflater.avail_out = static_cast<uInt>(start.size());
  int status = Z_OK;
  while (inflater.avail_out > 0 && status == Z_OK) {
    status = ::inflate(&inflater, Z_NO_FLUSH);
    bool is_next_member = status == Z_STREAM_END && inflater.avail_in > 0;
    if (is_next_member) status = inflateReset(&inflater);
  }
  size_t filled = start.size() - inflater.avail_out;
  inflateEnd(&inflater);
  return filled;
}

size_t start_zstd(Bytes bytes, std::string& start) {
  const ZstdInflater inflater;
  ZSTD_outBuffer to{start.data(), start.size(), 0};
  ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
  while (inflater && to.pos < to.size) {
    size_t before = in.pos + to.pos;
    size_t left = ZSTD_decompressStream(inflater.get(), &to, &in);
    if (ZSTD_isError(left) != 0 || in.pos + to.pos == before) break;
  }
  return to.pos;
}

}  // namespace

Compression find_compression(Bytes bytes) {
  if (bytes.size() >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b) return Compression::kGzip;
  if (bytes.size() >= 4 && load_le<uint32_t>(bytes.data()) == ZSTD_MAGICNUMBER)
    return Compression::kZstd;
  return Compression::kNone;
}

Result<InflatedBytes> inflate(Bytes bytes, const std::string& name, uint64_t limit) {
  switch (find_compression(bytes)) {
    case Compression::kGzip: return inflate_gzip(bytes, name, limit);
    case Compression::kZstd: return inflate_zstd(bytes, name, limit);
    case Compression::kNone: break;
  }
  return InflatedBytes(bytes);
}

std::string inflate_start(Bytes bytes, size_t size) {
  std::string start(size, '\0');
  switch (find_compression(bytes)) {
    case Compression::kGzip: start.resize(start_gzip(bytes, start)); return start;
    case Compression::kZstd: start.resize(start_zstd(bytes, start)); return start;
    case Compression::kNone: break;
  }
  return start.assign(bytes.begin(),
                      bytes.begin() + static_cast<std::ptrdiff_t>(std::min(size, bytes.size())));
}

}  // namespace pgo
