#include "pgo/profile/other_code.h"

namespace pgo {

std::string_view other_code(Dropped reason) {
  switch (reason) {
    case Dropped::kKernel: return "[kernel]";
    case Dropped::kVdso: return "[vdso]";
    case Dropped::kAnonymous: return "[anonymous memory]";
    case Dropped::kOtherBinary:
    case Dropped::kBuildIdMismatch:
    case Dropped::kAmbiguousName: return "[other binaries]";
    case Dropped::kUnmapped:
    case Dropped::kNotCode:
    case Dropped::kNoAddress:
    case Dropped::kNoLine:
    case Dropped::kUnknownFunction:
    case Dropped::kUnknownLine:
    case Dropped::kAmbiguousFunction: return "[unknown code]";
    case Dropped::kOtherEvent:
    case Dropped::kFiltered:
    case Dropped::kMalformed:
    case Dropped::kNoBranches:
    case Dropped::kWithoutStack:
    case Dropped::kEmptySlot: return "";
  }
  return "";
}

bool is_other_code(std::string_view name) {
  for (size_t i = 0; i < kDroppedCount; i++)
    if (!name.empty() && name == other_code(static_cast<Dropped>(i))) return true;
  return false;
}

}  // namespace pgo
