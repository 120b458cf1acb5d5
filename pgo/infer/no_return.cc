#include "pgo/infer/no_return.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace pgo::infer {
namespace {

// Wrappers of wrappers of abort() that are looked through.
constexpr unsigned kDepth = 4;
// Of a part that was split off, so much behind the place that control went to is decoded: pieces
// that fail are short, and each jump into a large part asks for another piece.
constexpr size_t kMaxOfPart = 512;

constexpr auto kNames = std::to_array<std::string_view>({
    "_Exit",
    "_Unwind_Resume",
    "_Unwind_Resume_or_Rethrow",
    "_ZN10__cxxabiv111__terminateEPFvvE",
    "_ZN10__cxxabiv112__unexpectedEPFvvE",
    "_ZNSt3__122__libcpp_verbose_abortEPKcz",
    "_ZSt10unexpectedv",
    "_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE",
    "_ZSt21__glibcxx_assert_failPKciS0_S0_",
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
    "__cxa_deleted_virtual",
    "__cxa_pure_virtual",
    "__cxa_rethrow",
    "__cxa_throw",
    "__cxa_throw_bad_array_length",
    "__cxa_throw_bad_array_new_length",
    "__fortify_fail",
    "__libc_fatal",
    "__libc_longjmp",
    "__libc_siglongjmp",
    "__longjmp",
    "__longjmp_chk",
    "__stack_chk_fail",
    "__stack_chk_fail_local",
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
  // std::__throw_out_of_range and its like, of libstdc++ and libc++.
  bool is_of_std = name.starts_with("_ZSt") || name.starts_with("_ZNSt");
  if (is_of_std && name.find("__throw_") != name.npos) return true;
  return std::ranges::binary_search(kNames, name);
}

bool may_return(const Instruction& instruction) {
  return instruction.control == Control::kReturn || instruction.control == Control::kIndirectJump;
}

}  // namespace

Outcome NoReturn::outcome_through(ElfAddr slot) const {
  return is_known_name(imports_.name_at_slot(slot)) ? Outcome::kFails : Outcome::kReturns;
}

Outcome NoReturn::outcome(ElfAddr target, const FunctionDecoder& decoder) const {
  return find_out(target, decoder, kDepth);
}

Outcome NoReturn::find_out(ElfAddr target, const FunctionDecoder& decoder, Depth depth) const {
  if (is_known_name(imports_.name_at_entry(target))) return Outcome::kFails;
  {
    std::lock_guard lock(mutex_);
    if (auto found = known_.find({target, depth}); found != known_.end()) return found->second;
  }
  Outcome answer = look_through(target, decoder, depth);
  std::lock_guard lock(mutex_);
  known_.emplace(std::pair(target, depth), answer);
  return answer;
}

Outcome NoReturn::look_through(ElfAddr target, const FunctionDecoder& decoder, Depth depth) const {
  std::optional<uint32_t> found = functions_.find(target);
  if (!found) return Outcome::kReturns;
  const FunctionSymbol& function = functions_.functions()[*found];
  bool is_entry = function.begin == target;
  if (is_entry && is_known_name(function.name)) return Outcome::kFails;
  bool is_part = functions_.entered_by(*found) != *found;
  if (depth == 0 || (!is_entry && !is_part)) return Outcome::kReturns;
  Bytes bytes = function.bytes;
  if (is_part) {
    bytes = bytes.subspan(target.value - function.begin.value);
    bytes = bytes.first(std::min(bytes.size(), kMaxOfPart));
  }
  FunctionCode code = decoder.decode(bytes, target);
  if (code.instructions.empty() || code.instructions[0].addr != target) return Outcome::kReturns;
  // A landing pad may return what the entry does not reach, so one return anywhere is enough. That
  // is most functions; nothing that they call is looked at.
  if (!is_part && std::ranges::any_of(code.instructions, may_return)) return Outcome::kReturns;
  return walk(code, function.end, decoder, depth - 1);
}

// Nothing for what is not known to end the path.
std::optional<Outcome> NoReturn::outcome_of_call(const Instruction& call,
                                                 const FunctionDecoder& decoder,
                                                 Depth depth) const {
  Outcome outcome = Outcome::kReturns;
  if (call.target)
    outcome = find_out(*call.target, decoder, depth);
  else if (call.slot)
    outcome = outcome_through(*call.slot);
  if (outcome == Outcome::kReturns) return std::nullopt;
  return outcome;
}

// All that can run from the first instruction on, depth first, to find a return or, on the way, a
// loop.
Outcome NoReturn::walk(const FunctionCode& code, ElfAddr end, const FunctionDecoder& decoder,
                       Depth depth) const {
  enum State : uint8_t { kNew, kOpen, kDone };
  std::vector<State> states(code.instructions.size());
  std::vector<uint32_t> path = {0};
  Outcome outcome = Outcome::kFails;
  auto note = [&](Outcome found) {
    if (found == Outcome::kEndless) outcome = found;
  };
  while (!path.empty()) {
    uint32_t i = path.back();
    if (states[i] != kNew) {
      states[i] = kDone;
      path.pop_back();
      continue;
    }
    states[i] = kOpen;
    const Instruction& instruction = code.instructions[i];
    auto visit = [&](uint32_t next) {
      if (states[next] == kNew) path.push_back(next);
      if (states[next] == kOpen) outcome = Outcome::kEndless;
    };
    bool runs_on = true;
    switch (instruction.control) {
      case Control::kReturn: return Outcome::kReturns;
      case Control::kTrap: continue;
      case Control::kIndirectJump:
      case Control::kCall:
      case Control::kIndirectCall:
        if (std::optional<Outcome> ended = outcome_of_call(instruction, decoder, depth)) {
          note(*ended);
          continue;
        }
        if (!instruction.is_call()) return Outcome::kReturns;
        break;
      case Control::kJump: runs_on = false; [[fallthrough]];
      case Control::kConditionalJump:
        if (!instruction.target) return Outcome::kReturns;
        if (std::optional<uint32_t> next = code.find_start(*instruction.target)) {
          visit(*next);
        } else if (Outcome left = find_out(*instruction.target, decoder, depth);
                   left != Outcome::kReturns) {
          note(left);
        } else {
          return Outcome::kReturns;
        }
        break;
      case Control::kNext: break;
    }
    if (!runs_on) continue;
    if (i + 1 < states.size() && instruction.end() == code.instructions[i + 1].addr)
      visit(i + 1);
    else if (instruction.end() < end || (!instruction.is_call() && !instruction.padding))
      return Outcome::kReturns;  // into whatever is there
    // Else what was called last never returns, or there would be code behind the call.
  }
  return outcome;
}

}  // namespace pgo::infer
