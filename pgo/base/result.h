// Result<T>: a value or an Error, returned by value; nothing in this project throws.
//
//   Result<Header> parse_header(Bytes bytes) {
//     if (bytes.size() < 16) return fail(ErrorKind::kInput, "16 bytes expected");
//     PGO_TRY(uint64_t size, read_size(bytes));
//     return Header{size};
//   }
//
// A Result is built from exactly T, or from what fail() returns: a value that merely converts to
// T does not compile, so an error code can never slip into the success arm. Member names follow
// std::expected (C++23), so that this type can become an alias of it.
#pragma once

#include <cassert>
#include <concepts>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

namespace pgo {

enum class ErrorKind {
  kUsage,        // the command line asks for something impossible
  kInput,        // the bytes of an input are not what their format says
  kUnsupported,  // a valid input of a kind that is not read or written here
  kMismatch,     // inputs that do not belong together (build IDs, say)
  kEmpty,        // nothing was left to write; the message names the stage that emptied it
  kIo,           // the operating system refused
  kInternal,     // a bug of ours
};

// `message` says what happened and where, `advice` what to do about it, as half a sentence; neither
// ends in a full stop or a newline. Where a text needs an option of the caller it has its name in
// braces behind the byte 0xFF, "\xFF{event}", and the caller puts its own word there ("--event").
// The byte is in no UTF-8, so a file may be called "{event}"; names that are no UTF-8 are shown
// with
// '?' or U+FFFD in place of such bytes.
struct Error {
  ErrorKind kind = ErrorKind::kInternal;
  std::string message;
  std::string advice = {};  // empty: none, or `message` says it

  bool operator==(const Error&) const = default;
};

// What fail() returns; converts to the failure arm of any Result.
struct [[nodiscard]] Failure {
  Error error;
};

inline Failure fail(ErrorKind kind, std::string message, std::string advice = {}) {
  return Failure{Error{kind, std::move(message), std::move(advice)}};
}
inline Failure fail(Error error) { return Failure{std::move(error)}; }

template <typename T>
class [[nodiscard]] Result {
 public:
  template <typename U>
    requires std::same_as<std::remove_cvref_t<U>, T>
  Result(U&& value) : state_(std::in_place_index<0>, std::forward<U>(value)) {}
  Result(Failure failure) : state_(std::in_place_index<1>, std::move(failure.error)) {}

  bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }

  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(value()); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  T& value() & {
    assert(has_value());
    return *std::get_if<0>(&state_);
  }
  const T& value() const& {
    assert(has_value());
    return *std::get_if<0>(&state_);
  }
  T&& value() && { return std::move(value()); }

  const Error& error() const {
    assert(!has_value());
    return *std::get_if<1>(&state_);
  }
  // The error, ready to be returned from a function with another T.
  Failure failure() && {
    assert(!has_value());
    return Failure{std::move(*std::get_if<1>(&state_))};
  }

 private:
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result(Failure failure) : state_(std::move(failure.error)) {}

  bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }
  const Error& error() const {
    assert(!has_value());
    return *std::get_if<Error>(&state_);
  }
  Failure failure() && {
    assert(!has_value());
    return Failure{std::move(*std::get_if<Error>(&state_))};
  }

 private:
  struct Success {};
  explicit Result(Success success) : state_(success) {}
  friend Result<void> ok();

  std::variant<Success, Error> state_;
};

inline Result<void> ok() { return Result<void>(Result<void>::Success{}); }

}  // namespace pgo

#define PGO_CONCAT_(a, b) a##b
#define PGO_CONCAT(a, b) PGO_CONCAT_(a, b)
// PGO_TRY(auto x, expr): x becomes the value of expr, or the enclosing function returns its error.
#define PGO_TRY(declaration, expression)                                                           \
  auto PGO_CONCAT(pgo_try_, __LINE__) = (expression);                                              \
  if (!PGO_CONCAT(pgo_try_, __LINE__)) return std::move(PGO_CONCAT(pgo_try_, __LINE__)).failure(); \
  declaration = *std::move(PGO_CONCAT(pgo_try_, __LINE__))
// PGO_CHECK(expr): the same for a Result<void>.
#define PGO_CHECK(expression)                              \
  do {                                                     \
    auto pgo_check = (expression);                         \
    if (!pgo_check) return std::move(pgo_check).failure(); \
  } while (false)
