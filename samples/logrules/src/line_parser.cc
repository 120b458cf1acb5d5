#include "line_parser.h"

namespace logrules {
namespace {

constexpr size_t kKeptErrors = 5;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool ends_word(char c) { return c == ' ' || c == '=' || c == '\0'; }

}  // namespace

std::optional<Entry> LineParser::parse(std::string_view line) {
  lines_++;
  line_ = line;
  at_ = 0;
  Entry entry;
  if (!parse_time(entry) || !expect(' ') || !parse_level(entry) || !expect(' '))
    return std::nullopt;
  entry.service = take_word();
  if (entry.service.empty()) {
    fail("a service");
    return std::nullopt;
  }
  entry.set_present(Field::kService);
  while (at_ < line_.size()) {
    if (!expect(' ') || !parse_field(entry)) return std::nullopt;
  }
  return entry;
}

bool LineParser::parse_time(Entry& entry) {
  uint64_t hours = 0, minutes = 0, seconds = 0, milliseconds = 0;
  if (!parse_digits(2, 2, hours) || !expect(':') || !parse_digits(2, 2, minutes) || !expect(':') ||
      !parse_digits(2, 2, seconds) || !expect('.') || !parse_digits(3, 3, milliseconds))
    return false;
  if (hours > 23) return fail("an hour below 24");
  if (minutes > 59) return fail("a minute below 60");
  if (seconds > 60) return fail("a second of 60 at most");
  entry.time = ((hours * 60 + minutes) * 60 + seconds) * 1000 + milliseconds;
  entry.set_present(Field::kTime);
  return true;
}

bool LineParser::parse_level(Entry& entry) {
  std::string_view word = take_word();
  if (word == "DEBUG") {
    entry.level = Level::kDebug;
  } else if (word == "INFO") {
    entry.level = Level::kInfo;
  } else if (word == "WARN" || word == "WARNING") {
    entry.level = Level::kWarning;
  } else if (word == "ERROR" || word == "FATAL") {
    entry.level = Level::kError;
  } else {
    return fail("a level (DEBUG, INFO, WARN, ERROR)");
  }
  entry.set_present(Field::kLevel);
  return true;
}

bool LineParser::parse_field(Entry& entry) {
  std::string_view key = take_word();
  if (key.empty()) return fail("the name of a field");
  if (!expect('=')) return false;
  auto present = [&](Field field) {
    entry.set_present(field);
    return true;
  };
  if (key == "latency" || key == "duration")
    return parse_scaled(entry.latency, true) && present(Field::kLatency);
  if (key == "bytes" || key == "size")
    return parse_scaled(entry.bytes, false) && present(Field::kBytes);
  if (key == "status") {
    if (!parse_digits(3, 3, entry.status)) return false;
    if (entry.status < 100 || entry.status > 599) return fail("a status from 100 to 599");
    return present(Field::kStatus);
  }
  if (key == "method") return parse_text(entry.method) && present(Field::kMethod);
  if (key == "path") return parse_text(entry.path) && present(Field::kPath);
  if (key == "user") return parse_text(entry.user) && present(Field::kUser);
  if (key == "message" || key == "msg")
    return parse_text(entry.message) && present(Field::kMessage);
  std::string_view ignored;
  return parse_text(ignored);
}

bool LineParser::parse_digits(unsigned least, unsigned most, uint64_t& value) {
  unsigned count = 0;
  uint64_t sum = 0;
  while (count < most && is_digit(peek())) {
    sum = sum * 10 + static_cast<uint64_t>(line_[at_] - '0');
    at_++;
    count++;
  }
  if (count < least) return fail(std::to_string(least) + " digits or more");
  value = sum;
  return true;
}

// A number with an optional fraction and unit, in microseconds or bytes: "1.25ms", "3K", "17".
bool LineParser::parse_scaled(uint64_t& value, bool is_time) {
  uint64_t whole = 0, fraction = 0, fraction_scale = 1;
  if (!parse_digits(1, 15, whole)) return false;
  if (peek() == '.') {
    at_++;
    size_t start = at_;
    if (!parse_digits(1, 6, fraction)) return false;
    for (size_t i = start; i < at_; i++) fraction_scale *= 10;
  }
  std::string_view unit = take_word();
  uint64_t scale = 1;
  if (is_time) {
    if (unit == "ms") {
      scale = 1000;
    } else if (unit == "s") {
      scale = 1'000'000;
    } else if (unit == "m") {
      scale = 60'000'000;
    } else if (unit != "us" && !unit.empty()) {
      return fail("a unit of time (us, ms, s, m)");
    }
  } else {
    if (unit == "K") {
      scale = 1024;
    } else if (unit == "M") {
      scale = 1024 * 1024;
    } else if (unit == "G") {
      scale = 1024 * 1024 * 1024;
    } else if (unit != "B" && !unit.empty()) {
      return fail("a unit of size (B, K, M, G)");
    }
  }
  if (whole > ~uint64_t{0} / scale - 1) return fail("a smaller number");
  value = whole * scale + fraction * scale / fraction_scale;
  return true;
}

bool LineParser::parse_text(std::string_view& text) {
  if (peek() == '"') return parse_quoted(text);
  size_t start = at_;
  while (at_ < line_.size() && line_[at_] != ' ') {
    if (static_cast<unsigned char>(line_[at_]) < ' ') return fail("no control character");
    at_++;
  }
  text = line_.substr(start, at_ - start);
  return true;
}

bool LineParser::parse_quoted(std::string_view& text) {
  size_t start = ++at_;
  while (at_ < line_.size()) {
    char c = line_[at_];
    if (c == '"') {
      text = line_.substr(start, at_ - start);
      at_++;
      return true;
    }
    if (c == '\\') {
      at_++;
      char escaped = peek();
      if (escaped != '"' && escaped != '\\' && escaped != 'n' && escaped != 't')
        return fail("one of \" \\ n t after a backslash");
    } else if (static_cast<unsigned char>(c) < ' ') {
      return fail("no control character in a text");
    }
    at_++;
  }
  return fail("a closing quote");
}

bool LineParser::expect(char c) {
  if (peek() != c) return fail(std::string("'") + c + "'");
  at_++;
  return true;
}

std::string_view LineParser::take_word() {
  size_t start = at_;
  while (!ends_word(peek())) at_++;
  return line_.substr(start, at_ - start);
}

bool LineParser::fail(const std::string& expected) {
  malformed_++;
  if (errors_.size() < kKeptErrors) {
    std::string found = at_ < line_.size() ? std::string("'") + line_[at_] + "'" : "the end";
    errors_.push_back("line " + std::to_string(lines_) + ", column " + std::to_string(at_ + 1) +
                      ": " + expected + " expected, " + found + " found");
  }
  return false;
}

}  // namespace logrules
