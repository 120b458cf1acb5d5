#include "converters/llvm_sample/profile_digest.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/SHA256.h>

namespace pgo {

std::string profile_digest(Bytes bytes) {
  auto hash = llvm::SHA256::hash(llvm::ArrayRef<uint8_t>(bytes.data(), bytes.size()));
  return "sha256:" + llvm::toHex(hash, /*LowerCase=*/true);
}

}  // namespace pgo
