#include "pgo/profile/code_map.h"

#include <algorithm>
#include <cstdlib>
#include <new>

namespace pgo {

CodeMap::CodeMap(ElfAddr begin, ElfAddr end, Decode decode)
    : begin_(begin),
      end_(end),
      size_(end > begin ? end.value - begin.value : 0),
      storage_(static_cast<uint8_t*>(std::calloc(size_ + 1, 1)), std::free),
      bytes_(storage_.get()),
      decode_(std::move(decode)) {
  if (bytes_ == nullptr) throw std::bad_alloc();
}

CodeByte CodeMap::decode_at(ElfAddr addr) const {
  uint64_t index = addr.value - begin_.value;
  // Filling in a byte that was unknown does not change what the map says.
  CodeMap& self = const_cast<CodeMap&>(*this);
  decode_(self, addr);
  if (!load(index).known()) self.set(addr, CodeByte(CodeByte::kNotCode));
  return load(index);
}

std::optional<ElfAddr> CodeMap::find_barrier(ElfAddr first, ElfAddr end) const {
  first = std::max(first, begin_);
  end = std::min(end, end_);
  for (ElfAddr addr = first; addr < end; addr.value++)
    if (at(addr).is_barrier()) return addr;
  return std::nullopt;
}

void CodeMap::set(ElfAddr addr, CodeByte byte) {
  uint64_t index = addr.value - begin_.value;
  if (index >= size_ || load(index).known()) return;
  std::atomic_ref<uint8_t>(bytes_[index]).store(byte.bits(), std::memory_order_relaxed);
}

}  // namespace pgo
