#include "pgo/base/gzip.h"

#include <libdeflate.h>

#include <memory>

namespace pgo {

Result<std::string> gzip(std::string_view bytes) {
  constexpr int kLevel = 6;
  std::unique_ptr<libdeflate_compressor, decltype(&libdeflate_free_compressor)> deflater(
      libdeflate_alloc_compressor(kLevel), &libdeflate_free_compressor);
  if (!deflater) return fail(ErrorKind::kInternal, "gzip: no memory");
  std::string out(libdeflate_gzip_compress_bound(deflater.get(), bytes.size()), '\0');
  out.resize(
      libdeflate_gzip_compress(deflater.get(), bytes.data(), bytes.size(), out.data(), out.size()));
  return out;
}

}  // namespace pgo
