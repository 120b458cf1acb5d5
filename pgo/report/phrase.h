// Phrase: a sentence in which names of code stand out where the form allows it: Markdown writes
// them as code. The names come from profiles and may be any bytes.
//
//   Phrase sentence = Phrase::code("std::vector<int>") + " grew by more than 20 %";
//   sentence.text()       std::vector<int> grew by more than 20 %
//   sentence.markdown()   `std::vector<int>` grew by more than 20 %
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace pgo {

class Phrase {
 public:
  Phrase(std::string words) : parts_{{std::move(words), Kind::kWords}} {}
  Phrase(const char* words) : Phrase(std::string(words)) {}
  static Phrase code(std::string name);

  Phrase& operator+=(const Phrase& more);
  friend Phrase operator+(Phrase first, const Phrase& second) { return first += second; }

  bool empty() const { return text().empty(); }
  std::string text() const;
  std::string markdown() const;

 private:
  enum class Kind { kWords, kCode };
  struct Part {
    std::string text;
    Kind kind = Kind::kWords;
  };
  std::vector<Part> parts_;
};

}  // namespace pgo
