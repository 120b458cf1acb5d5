#include "pgo/code/rust_name.h"

#include <algorithm>
#include <unordered_map>

#include "pgo/profile/accounting.h"

namespace pgo {
namespace {

constexpr unsigned kMaxDepth = 500;  // LLVM's

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

// Each function reads what it is named for at the position, or sets is_broken_.
class Walk {
 public:
  explicit Walk(std::string_view name) : name_(name) {}

  std::optional<uint64_t> cost() {
    path();
    if (at_ != name_.size()) path();  // the crate that a generic function was made in
    if (is_broken_ || at_ != name_.size()) return std::nullopt;
    return cost_;
  }

 private:
  // What a reference can point to. Types are paths, too, but constants are read otherwise.
  enum class Kind : size_t { kTypeOrPath, kConstant };

  template <typename Read>
  void element(Kind kind, const Read& read) {
    if (is_broken_ || depth_ == kMaxDepth) {
      is_broken_ = true;
      return;
    }
    size_t begin = at_;
    uint64_t before = cost_;
    depth_++;
    read();
    depth_--;
    costs_[begin * 2 + static_cast<size_t>(kind)] = cost_ - before;
  }

  void reference(Kind kind) {
    uint64_t target = base62();
    auto found = costs_.find(target * 2 + static_cast<size_t>(kind));
    if (target >= name_.size() || found == costs_.end())
      is_broken_ = true;
    else
      cost_ = saturating_add(cost_, found->second);
  }

  void path() {
    element(Kind::kTypeOrPath, [&] {
      switch (take()) {
        case 'C': identifier(); break;
        case 'M': implementation(), type(); break;
        case 'X': implementation(), type(), path(); break;
        case 'Y': type(), path(); break;
        case 'N': take(), path(), identifier(); break;
        case 'I':
          path();
          until_end([&] { argument(); });
          break;
        case 'B': reference(Kind::kTypeOrPath); break;
        default: is_broken_ = true;
      }
    });
  }

  void implementation() {
    if (take_if('s')) base62();
    path();
  }

  void argument() {
    if (take_if('L'))
      base62();
    else if (take_if('K'))
      constant();
    else
      type();
  }

  void type() {
    element(Kind::kTypeOrPath, [&] {
      if (is_lower(look())) return void(take());  // a basic type
      switch (look()) {
        case 'A': take(), type(), constant(); break;
        case 'S':
        case 'P':
        case 'O': take(), type(); break;
        case 'T':
          take();
          until_end([&] { type(); });
          break;
        case 'R':
        case 'Q':
          take();
          if (take_if('L')) base62();
          type();
          break;
        case 'F': take(), signature(); break;
        case 'D': take(), traits(); break;
        default: path();
      }
    });
  }

  void signature() {
    binder();
    take_if('U');
    if (take_if('K') && !take_if('C')) identifier();
    until_end([&] { type(); });
    type();
  }

  void traits() {
    binder();
    until_end([&] {
      path();
      while (!is_broken_ && take_if('p')) identifier(), type();
    });
    if (!take_if('L')) is_broken_ = true;
    base62();
  }

  // Each lifetime that it binds is printed.
  void binder() {
    if (take_if('G')) cost_ = saturating_add(cost_, std::min<uint64_t>(base62(), name_.size()));
  }

  void constant() {
    element(Kind::kConstant, [&] {
      char c = take();
      if (c == 'B') return reference(Kind::kConstant);
      if (c == 'p') return;
      if (!is_lower(c)) is_broken_ = true;
      take_if('n');
      while (!is_broken_ && take() != '_') continue;
    });
  }

  void identifier() {
    if (take_if('s')) base62();
    bool is_punycode = take_if('u');
    uint64_t size = 0;
    if (!is_digit(look())) is_broken_ = true;
    if (!take_if('0'))
      while (is_digit(look()) && size <= name_.size())
        size = size * 10 + static_cast<uint64_t>(take() - '0');
    take_if('_');
    if (size > name_.size() - at_) {
      is_broken_ = true;
      return;
    }
    at_ += static_cast<size_t>(size);
    cost_ = saturating_add(cost_, size);
    // Its letters are inserted one by one, each before others.
    if (is_punycode) cost_ = saturating_add(cost_, size * size / 256);
  }

  // Stops at the length of the name: longer numbers only tell crates of one name apart.
  uint64_t base62() {
    uint64_t value = 0;
    for (bool is_first = true; !is_broken_; is_first = false) {
      char c = take();
      if (c == '_') return is_first ? 0 : value + 1;
      int digit = is_digit(c)   ? c - '0'
                  : is_lower(c) ? c - 'a' + 10
                  : is_upper(c) ? c - 'A' + 36
                                : -1;
      if (digit < 0) is_broken_ = true;
      value = std::min<uint64_t>(value * 62 + static_cast<uint64_t>(digit), name_.size());
    }
    return 0;
  }

  template <typename Read>
  void until_end(const Read& read) {
    while (!is_broken_ && !take_if('E')) read();
  }

  char look() const { return at_ < name_.size() ? name_[at_] : '\0'; }
  char take() {
    if (at_ == name_.size()) {
      is_broken_ = true;
      return '\0';
    }
    cost_ = saturating_add(cost_, 1);
    return name_[at_++];
  }
  bool take_if(char c) {
    if (is_broken_ || look() != c) return false;
    take();
    return true;
  }

  std::string_view name_;  // behind _R
  size_t at_ = 0;
  unsigned depth_ = 0;
  bool is_broken_ = false;
  uint64_t cost_ = 0;
  std::unordered_map<uint64_t, uint64_t> costs_;  // of elements that ended, by begin and kind
};

}  // namespace

std::optional<uint64_t> rust_name_cost(std::string_view mangled) {
  if (!mangled.starts_with("_R")) return std::nullopt;
  // What begins with a dot was added by compilers.
  return Walk(mangled.substr(2, mangled.find('.') - 2)).cost();
}

}  // namespace pgo
