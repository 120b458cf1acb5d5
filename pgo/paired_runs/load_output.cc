#include "pgo/paired_runs/load_output.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>
#include <string>

namespace pgo {
namespace {

constexpr const char* kThroughput = "throughput";
constexpr const char* kRequests = "requests/s";
constexpr const char* kMilliseconds = "ms";
constexpr uint64_t kLeastErrorStatus = 400;  // of HTTP

std::vector<std::string_view> words_of(std::string_view line) {
  constexpr std::string_view kBlanks = " \t\r";
  std::vector<std::string_view> words;
  while (true) {
    const size_t begin = line.find_first_not_of(kBlanks);
    if (begin == line.npos) return words;
    line.remove_prefix(begin);
    words.push_back(line.substr(0, line.find_first_of(kBlanks)));
    line.remove_prefix(words.back().size());
  }
}

std::vector<std::string_view> lines_in(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    lines.push_back(text.substr(0, text.find('\n')));
    text.remove_prefix(std::min(text.size(), lines.back().size() + 1));
  }
  return lines;
}

// The number at the beginning of the word, which leaves its unit in `word`.
std::optional<double> take_number(std::string_view& word) {
  double value = 0;
  auto [rest, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || !(value >= 0) || value > 1e15) return std::nullopt;
  word.remove_prefix(static_cast<size_t>(rest - word.data()));
  return value;
}

// "112us", "1.20ms", "3.40s", "2.00m" in milliseconds.
std::optional<double> milliseconds(std::string_view word, std::string_view default_unit) {
  std::optional<double> value = take_number(word);
  if (!value) return std::nullopt;
  if (word.empty()) word = default_unit;
  if (word == "us") return *value / 1000;
  if (word == "ms") return *value;
  if (word == "s" || word == "secs") return *value * 1000;
  if (word == "m") return *value * 60'000;
  return std::nullopt;
}

bool begins(const std::vector<std::string_view>& words,
            std::initializer_list<std::string_view> expected) {
  return words.size() > expected.size() &&
         std::equal(expected.begin(), expected.end(), words.begin());
}

std::optional<LoadFigure> throughput_of(const std::vector<std::string_view>& words) {
  std::string_view number;
  if (begins(words, {"Requests/sec:"}))
    number = words[1];
  else if (begins(words, {"Requests", "per", "second:"}))
    number = words[3];
  else if (begins(words, {"finished", "in"}) && words.size() > 4 && words[4].starts_with("req/s"))
    number = words[3];
  std::optional<double> value = take_number(number);
  if (!value) return std::nullopt;
  return LoadFigure{kThroughput, kRequests, *value};
}

std::optional<LoadFigure> latency_of(const std::vector<std::string_view>& words) {
  if (begins(words, {"time", "for", "request:"}) && words.size() > 5) {
    if (auto mean = milliseconds(words[5], ""))
      return LoadFigure{"mean latency", kMilliseconds, *mean};
    return std::nullopt;
  }
  const char* name = nullptr;
  if (begins(words, {"50%"})) name = "50 % latency";
  if (begins(words, {"99%"})) name = "99 % latency";
  if (name == nullptr) return std::nullopt;
  const bool is_hey = words[1] == "in" && words.size() > 2;
  auto value = is_hey ? milliseconds(words[2], "secs") : milliseconds(words[1], "ms");
  if (!value) return std::nullopt;
  return LoadFigure{name, kMilliseconds, *value};
}

uint64_t count_in(std::string_view word) {
  uint64_t count = 0;
  std::from_chars(word.data(), word.data() + word.size(), count);
  return count;
}

using Line = std::vector<std::string_view>;  // its words

// "10 failed," has 10 of `word` "failed,". 0: there is no such word.
uint64_t count_before(const Line& words, std::string_view word) {
  const auto found = std::find(words.begin(), words.end(), word);
  return found == words.begin() || found == words.end() ? 0 : count_in(*(found - 1));
}

// "45678 requests in 10.00s, 12.3MB read", and not "8 requests in flight".
bool is_summary_of_wrk(const Line& words) {
  if (words.size() != 6 || words[1] != "requests" || words[2] != "in" || words[5] != "read")
    return false;
  std::string_view time = words[3];
  return take_number(time) && time.ends_with(',') && words[4].ends_with('B');
}

// hey prints its counts in brackets, and the status of responses: "[200]".
bool is_bracketed(std::string_view word) { return word.starts_with('[') && word.ends_with(']'); }

bool is_status_of_hey(const Line& words) {
  return words.size() == 3 && is_bracketed(words[0]) && words[2] == "responses";
}

uint64_t done_in(const Line& words) {
  if (begins(words, {"Complete", "requests:"})) return count_in(words[2]);
  if (is_summary_of_wrk(words)) return count_in(words[0]);
  if (is_status_of_hey(words)) return count_in(words[1]);
  return begins(words, {"requests:"}) ? count_before(words, "done,") : 0;
}

uint64_t failed_in(const Line& words) {
  if (begins(words, {"Failed", "requests:"})) return count_in(words[2]);
  if (begins(words, {"Non-2xx", "responses:"})) return count_in(words[2]);
  if (begins(words, {"Non-2xx", "or", "3xx", "responses:"})) return count_in(words[4]);
  if (is_status_of_hey(words))
    return count_in(words[0].substr(1)) >= kLeastErrorStatus ? count_in(words[1]) : 0;
  // h2load counts those that errored or timed out as failed, too.
  if (begins(words, {"requests:"})) return count_before(words, "failed,");
  uint64_t failed = 0;
  if (begins(words, {"Socket", "errors:"}))
    for (std::string_view word : words) failed += count_in(word);
  return failed;
}

}  // namespace

std::vector<LoadFigure> read_load_figures(std::string_view output) {
  std::vector<LoadFigure> figures;
  for (std::string_view line : lines_in(output)) {
    const std::vector<std::string_view> words = words_of(line);
    for (const std::optional<LoadFigure>& figure : {throughput_of(words), latency_of(words)}) {
      if (!figure) continue;
      const bool known = std::any_of(figures.begin(), figures.end(), [&](const LoadFigure& other) {
        return std::strcmp(other.name, figure->name) == 0;
      });
      if (!known) figures.push_back(*figure);
    }
  }
  return figures;
}

uint64_t done_requests(std::string_view output) {
  uint64_t done = 0;
  for (std::string_view line : lines_in(output)) done += done_in(words_of(line));
  return done;
}

uint64_t failed_requests(std::string_view output) {
  uint64_t failed = 0;
  bool lists_errors = false;  // hey does, until an empty line
  for (std::string_view line : lines_in(output)) {
    const Line words = words_of(line);
    failed += failed_in(words);
    if (words.empty()) lists_errors = false;
    if (lists_errors && is_bracketed(words[0])) failed += count_in(words[0].substr(1));
    if (words == Line{"Error", "distribution:"}) lists_errors = true;
  }
  return failed;
}

}  // namespace pgo
