#include "pgo/base/zstd.h"

#include <zstd.h>

#include <memory>

namespace pgo {

Result<std::string> zstd(std::string_view bytes) {
  constexpr int kLevel = 3;
  std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> deflater(ZSTD_createCCtx(), &ZSTD_freeCCtx);
  if (!deflater) return fail(ErrorKind::kInternal, "zstd: no memory");
  ZSTD_CCtx_setParameter(deflater.get(), ZSTD_c_compressionLevel, kLevel);
  ZSTD_CCtx_setParameter(deflater.get(), ZSTD_c_checksumFlag, 1);
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  size_t size = ZSTD_compress2(deflater.get(), out.data(), out.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(size) != 0)
    return fail(ErrorKind::kInternal, std::string("zstd: ") + ZSTD_getErrorName(size));
  out.resize(size);
  return out;
}

}  // namespace pgo
