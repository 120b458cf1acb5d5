// logrules: which of a set of rules do the lines of a log meet, and how often per service?
//
//   logrules web|jobs|database [LINES [ROUNDS [SEED]]]
//
// Makes a log of that kind (20000 lines unless said otherwise), reads it ROUNDS times (1), and
// prints what it found: the same every time.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "expression.h"
#include "group_table.h"
#include "line_parser.h"
#include "log_generator.h"

namespace logrules {
namespace {

struct Rule {
  const char* name;
  const char* condition;
  std::unique_ptr<Expression> expression;
  GroupTable groups;
};

constexpr const char* kRules[][2] = {
    {"failing requests", "status >= 500 and level >= 2"},
    {"slow requests", "latency > 250000 and not (path starts \"/static\")"},
    {"slow checkouts", "service = \"checkout\" and latency > 100000"},
    {"large answers", "bytes > 65536 and method = \"GET\""},
    {"not found", "status = 404 and (path starts \"/api\" or path starts \"/search\")"},
    {"timeouts", "message contains \"timeout\" or message contains \"full\""},
    {"long jobs", "latency >= 60000000 and bytes > 1048576"},
    {"slow statements", "service starts \"db\" and latency > 15000"},
    {"orders", "message contains \"orders\" and level != 0"},
    {"errors", "level = 3 and time > 1000"},
    {"known users", "user < \"u2\" and user > \"u1\" and status != 304"},
};

std::vector<Rule> make_rules() {
  std::vector<Rule> rules;
  for (auto [name, condition] : kRules) {
    auto parsed = parse_expression(condition);
    if (const std::string* error = std::get_if<std::string>(&parsed)) {
      std::fprintf(stderr, "logrules: rule '%s': %s\n", name, error->c_str());
      std::exit(2);
    }
    rules.push_back({name, condition, std::get<0>(std::move(parsed)), GroupTable()});
  }
  return rules;
}

void scan(std::string_view log, LineParser& parser, std::vector<Rule>& rules,
          EvaluationErrors& errors) {
  while (!log.empty()) {
    size_t end = log.find('\n');
    std::optional<Entry> entry = parser.parse(log.substr(0, end));
    log.remove_prefix(end == std::string_view::npos ? log.size() : end + 1);
    if (!entry) continue;
    for (Rule& rule : rules)
      if (rule.expression->evaluate(*entry, errors).truth())
        rule.groups.add(entry->service, entry->latency);
  }
}

void print(const LineParser& parser, const std::vector<Rule>& rules,
           const EvaluationErrors& errors) {
  std::printf("%llu lines, %llu malformed, %llu comparisons of number and text\n",
              static_cast<unsigned long long>(parser.lines()),
              static_cast<unsigned long long>(parser.malformed()),
              static_cast<unsigned long long>(errors.mixed_types));
  for (const std::string& error : parser.errors()) std::printf("  %s\n", error.c_str());
  for (const Rule& rule : rules) {
    std::printf("%s (%s)\n", rule.name, rule.condition);
    for (const Group& group : rule.groups.sorted())
      std::printf("  %-10s %8llu times, %10llu us on average, %llu at most\n", group.name.c_str(),
                  static_cast<unsigned long long>(group.count),
                  static_cast<unsigned long long>(group.sum / group.count),
                  static_cast<unsigned long long>(group.largest));
  }
}

int run(int count, char** arguments) {
  std::optional<Workload> workload = count > 1 ? workload_named(arguments[1]) : std::nullopt;
  if (!workload) {
    std::fprintf(stderr, "usage: logrules web|jobs|database [LINES [ROUNDS [SEED]]]\n");
    return 2;
  }
  auto number = [&](int at, uint64_t otherwise) {
    return count > at ? std::strtoull(arguments[at], nullptr, 10) : otherwise;
  };
  std::string log = generate_log(*workload, number(2, 20000), number(4, 1));
  std::vector<Rule> rules = make_rules();
  LineParser parser;
  EvaluationErrors errors;
  for (uint64_t round = number(3, 1); round > 0; round--) scan(log, parser, rules, errors);
  print(parser, rules, errors);
  return 0;
}

}  // namespace
}  // namespace logrules

int main(int count, char** arguments) { return logrules::run(count, arguments); }
