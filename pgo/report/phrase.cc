#include "pgo/report/phrase.h"

#include <utility>

#include "pgo/report/markdown_table.h"

namespace pgo {

Phrase Phrase::code(std::string name) {
  Phrase phrase(std::move(name));
  phrase.parts_[0].kind = Kind::kCode;
  return phrase;
}

Phrase& Phrase::operator+=(const Phrase& more) {
  const std::vector<Part> parts = more.parts_;  // which may be our own
  parts_.insert(parts_.end(), parts.begin(), parts.end());
  return *this;
}

std::string Phrase::text() const {
  std::string text;
  for (const Part& part : parts_) text += part.text;
  return text;
}

std::string Phrase::markdown() const {
  std::string text;
  for (const Part& part : parts_)
    text += part.kind == Kind::kCode ? markdown_code(part.text) : markdown_text(part.text);
  return text;
}

}  // namespace pgo
