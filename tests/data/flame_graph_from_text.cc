// Writes flame graphs for the tests of their pages. It reads folded stacks; a frame may begin with
// a module, "module`function":
//
//   flame_graph_from_text OUT.html|OUT.svg [OPTION...] STACKS [STACKS_AFTER]
//
//   --title=TEXT, --unit=nanoseconds, --min-share=0, --max-nodes=N, --names=hostile
//   --mark=FUNCTION:MARK:Q   of a comparison; MARK is 1 changed, 2 noise, 3 thin, 4 sampling only
//
// Two files make a comparison by shares. --names=hostile puts at the end of each name what could
// break a page.
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

#include "converters/flame_graph/flame_page.h"
#include "converters/flame_graph/flame_svg.h"
#include "pgo/base/number_text.h"

namespace pgo::test {
namespace {

constexpr std::string_view kHostile =
    "</script><script>window.broken=1</"
    "script><!--\"'&\\\xff\x1b[31m\n\u2028\u202e\uffff${1}{{data}}";

struct Arguments {
  std::string out, title = "server, cpu", unit = "nanoseconds", suffix;
  std::vector<std::string> files;
  FlameOptions options;
  std::map<std::string, FlameCertainty> certainties;
};

Arguments read_arguments(int count, char** words) {
  Arguments arguments;
  for (int i = 1; i < count; i++) {
    std::string word = words[i], value = word.substr(word.find('=') + 1);
    auto is = [&](const char* name) { return word.starts_with(name); };
    if (is("--title="))
      arguments.title = value;
    else if (is("--unit="))
      arguments.unit = value;
    else if (is("--min-share="))
      arguments.options.min_share = std::stod(value);
    else if (is("--max-nodes="))
      arguments.options.max_nodes = std::stoul(value);
    else if (is("--names=hostile"))
      arguments.suffix = kHostile;
    else if (is("--mark=")) {
      size_t q = value.rfind(':'), mark = value.rfind(':', q - 1);
      arguments.certainties[value.substr(0, mark)] = {
          static_cast<FlameMark>(std::stoi(value.substr(mark + 1))),
          std::stod(value.substr(q + 1)),
          {}};
    } else if (arguments.out.empty())
      arguments.out = word;
    else
      arguments.files.push_back(word);
  }
  return arguments;
}

struct Stack {
  std::vector<uint32_t> frames;
  int64_t value = 0;
};

std::vector<Stack> read_stacks(const std::string& path, const std::string& suffix,
                               FlameTreeBuilder& builder) {
  std::vector<Stack> stacks;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    size_t space = line.rfind(' ');
    if (space == std::string::npos) continue;
    Stack stack{{}, std::stoll(line.substr(space + 1))};
    std::istringstream names(line.substr(0, space));
    for (std::string name; std::getline(names, name, ';');) {
      size_t tick = name.find('`');
      std::string module = tick == std::string::npos ? "" : name.substr(0, tick);
      stack.frames.push_back(builder.add_frame({name.substr(tick + 1) + suffix, module, ""}));
    }
    stacks.push_back(std::move(stack));
  }
  return stacks;
}

// The certainty of a function is that of its nodes, too.
void set_certainties(FlameTree& tree, const Arguments& arguments) {
  auto certainty_of = [&](FlameFrameId frame) {
    auto found = arguments.certainties.find(tree.frames[frame].name);
    return found == arguments.certainties.end() ? FlameCertainty{} : found->second;
  };
  if (arguments.certainties.empty()) return;
  for (const FlameNode& node : tree.nodes) tree.certainties.push_back(certainty_of(node.frame));
  for (FlameFunction& row : tree.functions) {
    row.flat_certainty = row.cumulative_certainty = certainty_of(row.frame);
    int64_t change = row.flat[1] - row.flat[0];
    if (row.flat_certainty.q)
      row.flat_certainty.interval = {change - kFlameWhole / 1000, change + kFlameWhole / 1000};
  }
}

int write(int count, char** words) {
  Arguments arguments = read_arguments(count, words);
  FlameTreeBuilder builder(arguments.files.size());
  bool is_comparison = arguments.files.size() == 2;
  for (size_t side = 0; side < arguments.files.size(); side++) {
    std::vector<Stack> stacks = read_stacks(arguments.files[side], arguments.suffix, builder);
    double total = 0;
    for (const Stack& stack : stacks) total += static_cast<double>(stack.value);
    for (const Stack& stack : stacks) {
      double scale = is_comparison ? static_cast<double>(kFlameWhole) / total : 1;
      builder.add_stack(stack.frames, side,
                        static_cast<int64_t>(static_cast<double>(stack.value) * scale));
    }
  }
  Result<FlameTree> tree = builder.build(arguments.options);
  if (!tree) {
    std::cerr << tree.error().message << '\n';
    return 1;
  }
  tree->type = "cpu";
  tree->unit = arguments.unit;
  tree->in_shares = is_comparison;
  if (is_comparison) tree->sides[0].name = "before", tree->sides[1].name = "after";
  set_certainties(*tree, arguments);
  FlamePage page{
      arguments.title + arguments.suffix,
      is_comparison ? "Shares of CPU time, 1 profile a side" : "CPU time by stack",
      {{"stacks", format_count(tree->stacks)}, {"functions", format_count(tree->functions.size())}},
      {}};
  bool is_svg = arguments.out.ends_with(".svg");
  Result<std::string> text = is_svg ? flame_svg(*tree, page) : flame_html(*tree, page);
  if (!text) {
    std::cerr << text.error().message << '\n';
    return 1;
  }
  std::ofstream(arguments.out) << *text;
  return 0;
}

}  // namespace
}  // namespace pgo::test

int main(int count, char** words) { return pgo::test::write(count, words); }
