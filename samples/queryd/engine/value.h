// Value: what stands in a column: nothing, a number, or a text that somebody else keeps. Truth is a
// number, 0 or 1.
#pragma once

#include <cstdint>
#include <string_view>

#include "engine/hash.h"

namespace queryd {

enum class Type : uint8_t { kNull, kInteger, kText };

inline const char* name_of(Type type) {
  return type == Type::kInteger ? "a number" : type == Type::kText ? "a text" : "null";
}

class Value {
 public:
  Value() : integer_(0) {}
  static Value of(int64_t integer) {
    Value value;
    value.type_ = Type::kInteger;
    value.integer_ = integer;
    return value;
  }
  static Value of(std::string_view text) {
    Value value;
    value.type_ = Type::kText;
    value.size_ = static_cast<uint32_t>(text.size());
    value.text_ = text.data();
    return value;
  }
  static Value of_truth(bool truth) { return of(int64_t{truth}); }

  Type type() const { return type_; }
  bool is_null() const { return type_ == Type::kNull; }
  bool is_true() const { return type_ == Type::kInteger && integer_ != 0; }
  bool is_false() const { return type_ == Type::kInteger && integer_ == 0; }
  int64_t integer() const { return integer_; }              // of a number
  std::string_view text() const { return {text_, size_}; }  // of a text

  uint64_t hash() const {
    switch (type_) {
      case Type::kInteger: return mix(static_cast<uint64_t>(integer_), 1);
      case Type::kText: return hash_of(text());
      case Type::kNull: break;
    }
    return 0;
  }

 private:
  Type type_ = Type::kNull;
  uint32_t size_ = 0;
  union {
    int64_t integer_;
    const char* text_;
  };
};

// Negative, 0 or positive. A total order, which sorting and grouping need: null, numbers, texts.
inline int compare(const Value& a, const Value& b) {
  if (a.type() != b.type()) return a.type() < b.type() ? -1 : 1;
  switch (a.type()) {
    case Type::kInteger: return (a.integer() > b.integer()) - (a.integer() < b.integer());
    case Type::kText: return a.text().compare(b.text());
    case Type::kNull: break;
  }
  return 0;
}

}  // namespace queryd
