// Token: a word, literal or sign of a request. Keywords are told from names here, so that the
// parser compares no texts.
#pragma once

#include <cstdint>
#include <string_view>

namespace queryd {

enum class TokenKind : uint8_t {
  kEnd,
  kName,     // in lower case
  kInteger,  // without a sign
  kText,     // what the quotes mean
  // Keywords
  kAnd,
  kAs,
  kAsc,
  kBetween,
  kBy,
  kCase,
  kCreate,
  kDelete,
  kDesc,
  kDistinct,
  kElse,
  kEndOfCase,
  kExplain,
  kFrom,
  kGroup,
  kHaving,
  kIn,
  kIndex,
  kInsert,
  kInt,
  kInto,
  kIs,
  kJoin,
  kKey,
  kLike,
  kLimit,
  kNot,
  kNull,
  kOn,
  kOr,
  kOrder,
  kSelect,
  kSet,
  kTable,
  kTextType,
  kThen,
  kUpdate,
  kValues,
  kWhen,
  kWhere,
  // Signs
  kComma,
  kDot,
  kOpen,
  kClose,
  kStar,
  kPlus,
  kMinus,
  kSlash,
  kPercent,
  kConcatenate,
  kEqual,
  kUnequal,
  kLess,
  kAtMost,
  kMore,
  kAtLeast,
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  uint32_t at = 0;  // its offset in the request
  int64_t integer = 0;
  std::string_view text;
};

}  // namespace queryd
