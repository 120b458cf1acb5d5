// A mixed load for RE2: parses patterns into regular expressions and compiles them, and runs them
// over the lines of a log with each of RE2's engines: searches without and with groups, whole
// lines, replacements, and sets of patterns.
//
//   mixed_re2 ROUNDS SEED
//
// Prints a checksum of what matched.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <string>
#include <vector>

#include "re2/re2.h"
#include "re2/set.h"

namespace {

constexpr uint32_t kLines = 150;  // of each round

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed * 2654435761U + 1) {}

  uint32_t below(uint32_t limit) {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<uint32_t>((state_ >> 33) % limit);
  }
  const char* word() {
    static const char* const kWords[] = {"connection",
                                         "timeout",
                                         "user",
                                         "session",
                                         "Closed",
                                         "accepted",
                                         "retry",
                                         "bytes",
                                         "queue",
                                         "ERROR",
                                         "gr\xc3\xb6\xc3\x9f"
                                         "e",
                                         "\xe6\x97\xa5\xe6\x9c\xac"};
    return kWords[below(std::size(kWords))];
  }

 private:
  uint64_t state_;
};

std::string write_line(Random& random) {
  char text[256];
  std::snprintf(text, sizeof text,
                "2024-%02u-%02u %02u:%02u:%02u %s[%u] %u.%u.%u.%u \"GET /%s/%u?%s=%u\" %u %s",
                1 + random.below(12), 1 + random.below(28), random.below(24), random.below(60),
                random.below(60), random.word(), random.below(30000), random.below(256),
                random.below(256), random.below(256), random.below(256), random.word(),
                random.below(1000), random.word(), random.below(100000), 200 + random.below(300),
                random.word());
  std::string line = text;
  for (uint32_t more = random.below(12); more > 0; more--) line += std::string(" ") + random.word();
  return line;
}

// Some of these need one engine and some another, by their groups and by what may repeat.
std::vector<std::string> write_patterns(Random& random) {
  const std::string word = random.word(), other = random.word();
  const std::string times = std::to_string(1 + random.below(6));
  return {
      "(?i)" + word,
      "^(\\d{4})-(\\d{2})-(\\d{2}) (\\d+):(\\d+)",
      "\\b(\\w+)\\[(\\d+)\\] ",
      "(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})",
      "\"(GET|POST|PUT) ([^?\"]*)\\?(\\w+)=(\\d+)\"",
      "(" + word + "|" + other + ").*(" + other + "|error|\\p{L}+) [45]\\d\\d",
      "([a-z]+ ){" + times + ",8}" + word + "$",
      "(?:.*?" + word + "){2}",
      "[^[:ascii:]]+\\s*[a-f\\d]{" + times + "}?",
      "((a|b|e|s)*s(.)*" + word + ")|(\\pN+ \\PN+$)",
  };
}

// The checksum `sum` and that of what `pattern` finds in `lines`.
uint64_t search(const RE2& pattern, const std::vector<std::string>& lines, uint64_t sum) {
  std::vector<re2::StringPiece> groups(1 + pattern.NumberOfCapturingGroups());
  for (const std::string& line : lines) {
    const bool found = RE2::PartialMatch(line, pattern);
    sum = sum * 31 + found;
    if (found && pattern.Match(line, 0, line.size(), RE2::UNANCHORED, groups.data(),
                               static_cast<int>(groups.size())))
      for (const re2::StringPiece& group : groups) sum = sum * 31 + group.size();
    sum = sum * 31 + RE2::FullMatch(line, pattern);
  }
  return sum;
}

uint64_t run_round(Random& random, uint64_t sum) {
  std::vector<std::string> lines;
  for (uint32_t i = 0; i < kLines; ++i) lines.push_back(write_line(random));
  const std::vector<std::string> patterns = write_patterns(random);
  RE2::Set all(RE2::DefaultOptions, RE2::UNANCHORED);
  for (const std::string& text : patterns) {
    const RE2 pattern(text);
    if (!pattern.ok() || all.Add(text, nullptr) < 0) std::exit(1);  // RE2 has printed why
    sum = search(pattern, lines, sum);
    std::string copy = lines[random.below(kLines)];
    sum = sum * 31 + RE2::GlobalReplace(&copy, pattern, "<\\0>") + copy.size();
  }
  if (!all.Compile()) std::exit(1);
  for (const std::string& line : lines) {
    std::vector<int> found;
    all.Match(line, &found);
    sum = sum * 31 + found.size();
  }
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: mixed_re2 ROUNDS SEED\n");
    return 2;
  }
  Random random(std::strtoul(argv[2], nullptr, 10));
  uint64_t sum = 0;
  for (unsigned long round = std::strtoul(argv[1], nullptr, 10); round > 0; --round)
    sum = run_round(random, sum);
  std::printf("%llu\n", static_cast<unsigned long long>(sum));
  return 0;
}
