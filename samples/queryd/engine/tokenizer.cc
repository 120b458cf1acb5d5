#include "engine/tokenizer.h"

#include <cstring>
#include <string>

#include "engine/error.h"

namespace queryd {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool starts_word(char c) { return (c >= 'a' && c <= 'z') || is_upper(c) || c == '_'; }
char lower(char c) { return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c; }

// No keyword is longer than eight letters: as one number they make the cases of a switch.
constexpr size_t kLongestKeyword = 8;
constexpr uint64_t packed(std::string_view word) {
  uint64_t letters = 0;
  for (char c : word) letters = letters << 8 | static_cast<unsigned char>(c);
  return letters;
}

TokenKind kind_of(std::string_view word) {
  if (word.size() > kLongestKeyword) return TokenKind::kName;
  switch (packed(word)) {
    case packed("and"): return TokenKind::kAnd;
    case packed("as"): return TokenKind::kAs;
    case packed("asc"): return TokenKind::kAsc;
    case packed("between"): return TokenKind::kBetween;
    case packed("by"): return TokenKind::kBy;
    case packed("case"): return TokenKind::kCase;
    case packed("create"): return TokenKind::kCreate;
    case packed("delete"): return TokenKind::kDelete;
    case packed("desc"): return TokenKind::kDesc;
    case packed("distinct"): return TokenKind::kDistinct;
    case packed("else"): return TokenKind::kElse;
    case packed("end"): return TokenKind::kEndOfCase;
    case packed("explain"): return TokenKind::kExplain;
    case packed("from"): return TokenKind::kFrom;
    case packed("group"): return TokenKind::kGroup;
    case packed("having"): return TokenKind::kHaving;
    case packed("in"): return TokenKind::kIn;
    case packed("index"): return TokenKind::kIndex;
    case packed("insert"): return TokenKind::kInsert;
    case packed("int"): return TokenKind::kInt;
    case packed("into"): return TokenKind::kInto;
    case packed("is"): return TokenKind::kIs;
    case packed("join"): return TokenKind::kJoin;
    case packed("key"): return TokenKind::kKey;
    case packed("like"): return TokenKind::kLike;
    case packed("limit"): return TokenKind::kLimit;
    case packed("not"): return TokenKind::kNot;
    case packed("null"): return TokenKind::kNull;
    case packed("on"): return TokenKind::kOn;
    case packed("or"): return TokenKind::kOr;
    case packed("order"): return TokenKind::kOrder;
    case packed("select"): return TokenKind::kSelect;
    case packed("set"): return TokenKind::kSet;
    case packed("table"): return TokenKind::kTable;
    case packed("text"): return TokenKind::kTextType;
    case packed("then"): return TokenKind::kThen;
    case packed("update"): return TokenKind::kUpdate;
    case packed("values"): return TokenKind::kValues;
    case packed("when"): return TokenKind::kWhen;
    case packed("where"): return TokenKind::kWhere;
    default: return TokenKind::kName;
  }
}

}  // namespace

Token Tokenizer::next() {
  while (peek() == ' ' || peek() == '\t') at_++;
  size_t start = at_;
  if (at_ == request_.size()) return token(TokenKind::kEnd, start);
  char c = request_[at_];
  if (starts_word(c)) return word(start);
  if (is_digit(c)) return integer(start);
  if (c == '\'') return text(start);
  return sign(start);
}

Token Tokenizer::word(size_t start) {
  bool has_upper = false;
  for (char c = peek(); starts_word(c) || is_digit(c); c = peek()) {
    has_upper |= is_upper(c);
    at_++;
  }
  Token word = token(TokenKind::kName, start);
  if (has_upper) {
    char* lowered = arena_.text(word.text.size());
    for (size_t i = 0; i < word.text.size(); i++) lowered[i] = lower(word.text[i]);
    word.text = {lowered, word.text.size()};
  }
  word.kind = kind_of(word.text);
  return word;
}

Token Tokenizer::integer(size_t start) {
  int64_t sum = 0;
  for (; is_digit(peek()); at_++) {
    if (__builtin_mul_overflow(sum, 10, &sum) ||
        __builtin_add_overflow(sum, request_[at_] - '0', &sum))
      refuse(start, "a number that is too large");
  }
  if (starts_word(peek())) refuse(at_, "a letter in a number");
  Token number = token(TokenKind::kInteger, start);
  number.integer = sum;
  return number;
}

// A quote within a text is written twice.
Token Tokenizer::text(size_t start) {
  size_t quotes = 0;
  for (at_++;; at_++) {
    if (at_ == request_.size()) refuse(start, "a text without its closing quote");
    if (request_[at_] != '\'') continue;
    if (at_ + 1 == request_.size() || request_[at_ + 1] != '\'') break;
    quotes++;
    at_++;
  }
  std::string_view inside = request_.substr(start + 1, at_ - start - 1);
  at_++;
  Token text = token(TokenKind::kText, start);
  text.text = inside;
  if (quotes > 0) {
    char* kept = arena_.text(inside.size());
    size_t size = 0;
    for (size_t i = 0; i < inside.size(); i++) {
      kept[size++] = inside[i];
      if (inside[i] == '\'') i++;
    }
    text.text = {kept, size};
  }
  return text;
}

Token Tokenizer::sign(size_t start) {
  char c = request_[at_++];
  auto or_with = [&](char second, TokenKind both, TokenKind alone) {
    if (peek() != second) return alone;
    at_++;
    return both;
  };
  switch (c) {
    case ',': return token(TokenKind::kComma, start);
    case '.': return token(TokenKind::kDot, start);
    case '(': return token(TokenKind::kOpen, start);
    case ')': return token(TokenKind::kClose, start);
    case '*': return token(TokenKind::kStar, start);
    case '+': return token(TokenKind::kPlus, start);
    case '-': return token(TokenKind::kMinus, start);
    case '/': return token(TokenKind::kSlash, start);
    case '%': return token(TokenKind::kPercent, start);
    case '=': return token(TokenKind::kEqual, start);
    case '>': return token(or_with('=', TokenKind::kAtLeast, TokenKind::kMore), start);
    case '<':
      if (peek() == '>') {
        at_++;
        return token(TokenKind::kUnequal, start);
      }
      return token(or_with('=', TokenKind::kAtMost, TokenKind::kLess), start);
    case '|':
      if (or_with('|', TokenKind::kConcatenate, TokenKind::kEnd) == TokenKind::kConcatenate)
        return token(TokenKind::kConcatenate, start);
      break;
    default: break;
  }
  refuse(start, std::string("'") + c + "' where no request has it");
}

}  // namespace queryd
