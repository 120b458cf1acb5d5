#include "pgo/infer/no_return.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace pgo::infer {
namespace {

// Wrappers of wrappers of abort() that are looked through.
constexpr unsigned kDepth = 4;
// Functions that one without a return may leave for.
constexpr size_t kMostTargets = 4;

constexpr auto kNames = std::to_array<std::string_view>({
    "_Exit",
    "_Unwind_Resume",
    "_Unwind_Resume_or_Rethrow",
    "_ZSt10unexpectedv",
    "_ZSt9terminatev",
    "__assert",
    "__assert_fail",
    "__assert_perror_fail",
    "__chk_fail",
    "__clang_call_terminate",
    "__cxa_bad_cast",
    "__cxa_bad_typeid",
    "__cxa_call_terminate",
    "__cxa_call_unexpected",
    "__cxa_pure_virtual",
    "__cxa_rethrow",
    "__cxa_throw",
    "__cxa_throw_bad_array_new_length",
    "__fortify_fail",
    "__longjmp_chk",
    "__stack_chk_fail",
    "_exit",
    "_longjmp",
    "abort",
    "err",
    "errx",
    "exit",
    "longjmp",
    "pthread_exit",
    "quick_exit",
    "siglongjmp",
    "thrd_exit",
    "verr",
    "verrx",
});
static_assert(std::ranges::is_sorted(kNames));

bool is_known_name(std::string_view name) {
  // The C++ library's std::__throw_out_of_range and its like.
  if (name.starts_with("_ZSt") && name.find("__throw_") != name.npos) return true;
  return std::ranges::binary_search(kNames, name);
}

}  // namespace

bool NoReturn::never_returns_through(ElfAddr slot) const {
  return is_known_name(imports_.name_at_slot(slot));
}

bool NoReturn::never_returns(ElfAddr callee, const FunctionDecoder& decoder) const {
  {
    std::lock_guard lock(mutex_);
    if (auto found = known_.find(callee); found != known_.end()) return found->second;
  }
  bool answer = find_out(callee, decoder, kDepth);
  std::lock_guard lock(mutex_);
  known_.emplace(callee, answer);
  return answer;
}

// Not by way of known_: what a depth allows must not depend on what was asked before.
bool NoReturn::find_out(ElfAddr callee, const FunctionDecoder& decoder, unsigned depth) const {
  if (is_known_name(imports_.name_at_entry(callee))) return true;
  std::optional<uint32_t> found = functions_.find_entry(callee);
  if (!found) return false;
  const FunctionSymbol& function = functions_.functions()[*found];
  if (is_known_name(function.name)) return true;
  if (depth == 0) return false;
  std::vector<ElfAddr> left_for;
  FunctionCode code = decoder.decode(function.bytes, function.begin);
  if (code.instructions.empty()) return false;
  for (const Instruction& instruction : code.instructions) {
    if (instruction.control == Control::kReturn || instruction.control == Control::kIndirectJump)
      return false;
    bool jumps =
        instruction.control == Control::kJump || instruction.control == Control::kConditionalJump;
    if (!jumps || !instruction.target) continue;
    ElfAddr target = *instruction.target;
    if (target < function.begin || target >= function.end) left_for.push_back(target);
  }
  std::sort(left_for.begin(), left_for.end());
  left_for.erase(std::unique(left_for.begin(), left_for.end()), left_for.end());
  if (left_for.size() > kMostTargets) return false;
  return std::all_of(left_for.begin(), left_for.end(),
                     [&](ElfAddr target) { return find_out(target, decoder, depth - 1); });
}

}  // namespace pgo::infer
