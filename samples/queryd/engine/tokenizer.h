// Tokenizer: a request's text -> tokens, one at a time.
#pragma once

#include <string_view>

#include "engine/arena.h"
#include "engine/token.h"

namespace queryd {

class Tokenizer {
 public:
  // Texts of tokens are views into `request` or kept in `arena`.
  Tokenizer(std::string_view request, Arena& arena) : request_(request), arena_(arena) {}

  // At the end, kEnd again and again. Throws RequestError at what is no token.
  Token next();

 private:
  Token word(size_t start);
  Token integer(size_t start);
  Token text(size_t start);
  Token sign(size_t start);

  char peek() const { return at_ < request_.size() ? request_[at_] : '\0'; }
  Token token(TokenKind kind, size_t start) const {
    return {kind, static_cast<uint32_t>(start), 0, request_.substr(start, at_ - start)};
  }

  std::string_view request_;
  Arena& arena_;
  size_t at_ = 0;
};

}  // namespace queryd
