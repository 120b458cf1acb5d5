#include "engine/text_pool.h"

#include <cstring>

#include "engine/hash.h"

namespace queryd {

std::string_view TextPool::keep(std::string_view text) {
  uint64_t hash = hash_of(text);
  Slot* slot = &find(text, hash);
  if (slot->text.data() == nullptr) {
    if (++used_ > slots_.size() / 2) {
      grow();
      slot = &find(text, hash);
    }
    char* kept = static_cast<char*>(memory_.allocate(text.size() + 1, 1));
    std::memcpy(kept, text.data(), text.size());
    *slot = {hash, {kept, text.size()}};
  }
  return slot->text;
}

TextPool::Slot& TextPool::find(std::string_view text, uint64_t hash) {
  size_t mask = slots_.size() - 1;
  for (size_t i = hash & mask;; i = (i + 1) & mask) {
    Slot& slot = slots_[i];
    if (slot.text.data() == nullptr || (slot.hash == hash && slot.text == text)) return slot;
  }
}

void TextPool::grow() {
  std::vector<Slot> old(slots_.size() * 2);
  old.swap(slots_);
  for (const Slot& slot : old)
    if (slot.text.data() != nullptr) find(slot.text, slot.hash) = slot;
}

}  // namespace queryd
