#include "pgo/record/stepped_program.h"

#include <sys/xattr.h>

#include "pgo/base/text_bytes.h"
#include "pgo/elf/elf_image.h"

namespace pgo {
namespace {

constexpr std::string_view kSupportedLoader = "/ld-linux-x86-64.so.2";

Failure refuse_program(const std::string& path, const std::string& why) {
  return fail(ErrorKind::kUsage, path + " cannot be recorded by single steps: " + why,
              "use \xFF{engine} perf, clock or emulate");
}

// The sanitizers that insist on being the first library.
std::string find_sanitizer(const ElfImage& image) {
  const ElfImage::Section* names = image.find_section(".dynstr");
  if (names == nullptr) return "";
  const std::string_view text = as_text(names->bytes);
  for (std::string_view library : {"libasan.so", "libtsan.so", "liblsan.so", "libhwasan.so",
                                   "libclang_rt.asan", "libclang_rt.tsan", "libclang_rt.hwasan"})
    if (text.find(library) != text.npos) return std::string(library);
  return "";
}

}  // namespace

Result<void> check_stepped_program(const ProgramFile& program) {
  const std::string& path = program.path;
  if (program.kind == kForeignProgram)
    return refuse_program(path, "it is not a readable x86-64 program");
  const bool has_capabilities = ::getxattr(path.c_str(), "security.capability", nullptr, 0) > 0;
  if (program.kind == kPrivilegedProgram || has_capabilities)
    return refuse_program(path, "it gains privileges when executed, and preloads nothing");
  PGO_TRY(ElfImage image, ElfImage::open(path));
  const ElfImage::Section* loader = image.find_section(".interp");
  if (loader == nullptr)
    return refuse_program(path, "it is linked statically, and preloads nothing");
  std::string_view name = as_text(loader->bytes);
  name = name.substr(0, name.find('\0'));
  if (!name.ends_with(kSupportedLoader))
    return refuse_program(path,
                          "its dynamic loader, " + std::string(name) + ", is not that of glibc");
  if (image.find_section(".go.buildinfo") != nullptr)
    return refuse_program(path, "Go programs handle signals without the C library");
  if (std::string sanitizer = find_sanitizer(image); !sanitizer.empty())
    return refuse_program(path, sanitizer + " must be the first library that is loaded");
  return ok();
}

}  // namespace pgo
