#include "pgo/base/xz.h"

#include <lzma.h>

#include <memory>

#include "pgo/base/growing_buffer.h"

namespace pgo {

Result<InflatedBytes> inflate_xz(Bytes bytes, const std::string& name, uint64_t limit) {
  constexpr uint64_t kMaxMemory = uint64_t{128} << 20, kAtFirst = 4096, kRatio = 4;
  lzma_stream stream = LZMA_STREAM_INIT;
  std::unique_ptr<lzma_stream, decltype(&lzma_end)> inflater(&stream, &lzma_end);
  if (lzma_stream_decoder(&stream, kMaxMemory, 0) != LZMA_OK)
    return fail(ErrorKind::kInternal, name + ": no memory to inflate it");
  stream.next_in = bytes.data();
  stream.avail_in = bytes.size();
  GrowingBuffer out(limit);
  out.grow(kAtFirst + kRatio * bytes.size());
  for (;;) {
    stream.next_out = out.end();
    stream.avail_out = out.room();
    lzma_ret status = lzma_code(&stream, LZMA_FINISH);
    out.take(out.room() - stream.avail_out);
    if (status == LZMA_STREAM_END) return std::move(out).finish();
    if (status == LZMA_MEMLIMIT_ERROR)
      return fail(ErrorKind::kUnsupported, name + ": needs more than 128 MB to be inflated");
    if (status == LZMA_OK) continue;
    if (status != LZMA_BUF_ERROR || out.room() != 0)
      return fail(ErrorKind::kInput, name + ": xz data is damaged or cut short");
    if (!out.grow(0))
      return fail(ErrorKind::kInput, name + ": inflates to more than " + std::to_string(limit) +
                                         " bytes, which is the limit; is it damaged?");
  }
}

}  // namespace pgo
