// Memory of the size of the file is reserved, and the wanted ranges are read to where they are in
// the file. The kernel gives memory only to pages that are written.
#include "pgo/capture/binary_copy.h"

#include <elf.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "pgo/base/number_text.h"
#include "pgo/base/unique_fd.h"
#include "pgo/capture/regular_file.h"

namespace pgo {
namespace {

struct Range {
  uint64_t begin = 0, end = 0;  // offsets in the file
};

class ElfReader {
 public:
  ElfReader(const std::string& path, int fd, uint8_t* memory, uint64_t size, uint64_t limit)
      : path_(path), fd_(fd), memory_(memory), size_(size), limit_(limit) {}

  // Reads the headers, and then the ranges that these want.
  Result<void> read(bool with_code) {
    add(0, sizeof(Elf64_Ehdr));
    PGO_CHECK(read_ranges());
    Elf64_Ehdr header;
    std::memcpy(&header, memory_, sizeof header);
    if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_phentsize != sizeof(Elf64_Phdr))
      return fail(ErrorKind::kInput, path_ + ": not a 64-bit ELF file that can be run");
    const uint64_t segments = header.e_phnum;
    add(header.e_phoff, segments * sizeof(Elf64_Phdr));
    // Where there are too many for the field, the first header has the number.
    if (header.e_shoff != 0) add(header.e_shoff, sizeof(Elf64_Shdr));
    PGO_CHECK(read_ranges());
    uint64_t sections = header.e_shnum;
    if (header.e_shoff != 0 && sections == 0) sections = at<Elf64_Shdr>(header.e_shoff).sh_size;
    sections = std::min(sections, size_ / sizeof(Elf64_Shdr));
    if (header.e_shoff != 0) add(header.e_shoff, sections * sizeof(Elf64_Shdr));
    PGO_CHECK(read_ranges());
    for (uint64_t i = 0; i < segments; i++) {
      const auto segment = at<Elf64_Phdr>(header.e_phoff + i * sizeof(Elf64_Phdr));
      const bool is_code = segment.p_type == PT_LOAD && (segment.p_flags & PF_X) != 0;
      if (segment.p_type == PT_NOTE || (with_code && is_code))
        add(segment.p_offset, segment.p_filesz);
    }
    for (uint64_t i = 0; header.e_shoff != 0 && i < sections; i++) {
      const auto section = at<Elf64_Shdr>(header.e_shoff + i * sizeof(Elf64_Shdr));
      const bool is_of_symbols = section.sh_type == SHT_SYMTAB || section.sh_type == SHT_STRTAB ||
                                 section.sh_type == SHT_DYNSYM;
      if (section.sh_type == SHT_NOTE || (with_code && is_of_symbols))
        add(section.sh_offset, section.sh_size);
    }
    return read_ranges();
  }
  uint64_t copied() const { return copied_; }

 private:
  // What of it the file has.
  void add(uint64_t offset, uint64_t size) {
    if (offset >= size_) return;
    ranges_.push_back({offset, offset + std::min(size, size_ - offset)});
  }
  template <typename Header>
  Header at(uint64_t offset) const {
    Header header{};
    if (offset <= size_ && sizeof header <= size_ - offset)
      std::memcpy(&header, memory_ + offset, sizeof header);
    return header;
  }

  // Ranges may overlap: sections are in segments.
  Result<void> read_ranges() {
    std::sort(ranges_.begin(), ranges_.end(),
              [](const Range& a, const Range& b) { return a.begin < b.begin; });
    uint64_t done = 0;
    for (Range range : std::exchange(ranges_, {})) {
      range.begin = std::max(range.begin, done);
      if (range.begin >= range.end) continue;
      done = range.end;
      copied_ += range.end - range.begin;
      if (copied_ > limit_)
        return fail(ErrorKind::kUnsupported,
                    path_ + ": its code and symbols are larger than " + format_size(limit_));
      PGO_CHECK(read_range(range));
    }
    return ok();
  }
  Result<void> read_range(Range range) {
    while (range.begin < range.end) {
      const ssize_t n = ::pread(fd_, memory_ + range.begin, range.end - range.begin,
                                static_cast<off_t>(range.begin));
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return io_failure(path_, "cannot read");
      if (n == 0) return fail(ErrorKind::kInput, path_ + ": was cut short");
      range.begin += static_cast<uint64_t>(n);
    }
    return ok();
  }

  const std::string& path_;
  int fd_;
  uint8_t* memory_;
  uint64_t size_, limit_, copied_ = 0;
  std::vector<Range> ranges_;
};

}  // namespace

Result<BinaryCopy> BinaryCopy::read(const std::string& path, const CopiedParts& parts) {
  const std::unique_ptr<UniqueFd> file = open_regular_file(path);
  struct stat status{};
  if (file == nullptr || ::fstat(file->fd, &status) != 0)
    return fail(ErrorKind::kIo, path + ": cannot be opened, or is not a regular file");
  const auto size = static_cast<size_t>(status.st_size);
  if (size < sizeof(Elf64_Ehdr))
    return fail(ErrorKind::kInput, path + ": not a 64-bit ELF file that can be run");
  void* memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return io_failure(path, "no memory to read it");
  BinaryCopy copy;
  copy.memory_ = static_cast<uint8_t*>(memory);
  copy.size_ = size;
  ElfReader reader(path, file->fd, copy.memory_, size, parts.max_bytes);
  PGO_CHECK(reader.read(parts.with_code));
  copy.copied_ = reader.copied();
  return copy;
}

BinaryCopy::BinaryCopy(BinaryCopy&& other) noexcept { *this = std::move(other); }

BinaryCopy& BinaryCopy::operator=(BinaryCopy&& other) noexcept {
  std::swap(memory_, other.memory_);
  std::swap(size_, other.size_);
  std::swap(copied_, other.copied_);
  return *this;
}

BinaryCopy::~BinaryCopy() {
  if (memory_ != nullptr) ::munmap(memory_, size_);
}

}  // namespace pgo
