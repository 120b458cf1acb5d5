// Any bytes as the binary of a recorded process: an error, or a copy of the file's size in which
// each byte is that of the file or 0. With code it has all that it has without; both have the build
// ID of the file.
#include <cstdlib>
#include <optional>

#include "pgo/capture/binary_copy.h"
#include "pgo/elf/elf_image.h"
#include "tests/fuzz/memory_file.h"

using namespace pgo;

namespace {

// Nothing where reading fails.
std::optional<BinaryCopy> copy_of(const std::string& path, Bytes file, const CopiedParts& parts) {
  Result<BinaryCopy> copy = BinaryCopy::read(path, parts);
  if (!copy) return std::nullopt;
  if (copy->bytes().size() != file.size() || copy->copied_bytes() > parts.max_bytes) std::abort();
  for (size_t i = 0; i < file.size(); i++)
    if (copy->bytes()[i] != file[i] && copy->bytes()[i] != 0) std::abort();
  return *std::move(copy);
}

void must_have_build_id(const BinaryCopy& copy, const BuildId& id) {
  const Result<ElfImage> image = ElfImage::parse(copy.bytes(), "copy");
  if (image && image->build_id() != id) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const Bytes bytes(data, size);
  const test::MemoryFile file(bytes);
  (void)copy_of(file.path(), bytes, {.with_code = true, .max_bytes = size / 2});
  const std::optional<BinaryCopy> whole = copy_of(file.path(), bytes, {.with_code = true});
  const std::optional<BinaryCopy> headers = copy_of(file.path(), bytes, {});
  if (whole.has_value() != headers.has_value()) std::abort();
  if (!whole) return 0;
  for (size_t i = 0; i < size; i++)
    if (headers->bytes()[i] != 0 && whole->bytes()[i] != data[i]) std::abort();
  if (const Result<ElfImage> image = ElfImage::parse(bytes, "fuzz")) {
    must_have_build_id(*whole, image->build_id());
    must_have_build_id(*headers, image->build_id());
  }
  return 0;
}
