#include "converters/flame_graph/flame_page.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>

#include "converters/flame_graph/flame_text.h"
#include "converters/flame_graph/frame_color.h"
#include "pgo/base/markup_text.h"

namespace pgo {
namespace {

// The page with its style and its scripts, as CMake put them together.
constexpr std::string_view kTemplate =
#include "flame_page_template.inc"
    ;

// JSON knows no infinity, and nothing that is not a number.
std::string number_text(double number) {
  if (!std::isfinite(number)) return "null";
  char text[32];
  return std::string(
      text, std::to_chars(text, text + sizeof text, number, std::chars_format::general, 4).ptr);
}

// The shortest text of exactly this number.
std::string exact_number_text(double number) {
  char text[32];
  return std::string(text, std::to_chars(text, text + sizeof text, number).ptr);
}

// "[1,2]" of what text_of(item) says of each.
template <typename Items, typename TextOf>
std::string list(const Items& items, const TextOf& text_of) {
  std::string text = "[";
  for (const auto& item : items) {
    if (text.size() > 1) text += ',';
    text += text_of(item);
  }
  return text + ']';
}

template <typename Items, typename ValuesOf>
std::string lists_of_sides(const FlameTree& tree, const Items& items, const ValuesOf& values_of) {
  std::string text = "[";
  for (size_t side = 0; side < tree.sides.size(); side++)
    text += (side == 0 ? "" : ",") +
            list(items, [&](const auto& item) { return std::to_string(values_of(item)[side]); });
  return text + ']';
}

// Texts by number, in the order in which they came; number 0 is the empty one.
class Numbered {
 public:
  std::string number_of(const std::string& text) {
    auto [found, is_new] = numbers_.try_emplace(text, texts_.size());
    if (is_new) texts_.push_back(printable_name(text));
    return std::to_string(found->second);
  }
  std::string json() const { return list(texts_, json_text); }

 private:
  std::vector<std::string> texts_{""};
  std::map<std::string, size_t> numbers_{{"", 0}};
};

// Names are sorted, and those of C++ begin alike.
std::string names_json(const FlameTree& tree) {
  std::string before;
  return list(tree.frames, [&](const FlameFrame& frame) {
    std::string name = printable_name(frame.name);
    size_t shared = 0, most = std::min(name.size(), before.size());
    while (shared < most && name[shared] == before[shared] &&
           static_cast<unsigned char>(name[shared]) < 0x80)
      shared++;
    before = name;
    return std::to_string(shared) + ',' + json_text(name.substr(shared));
  });
}

std::string frames_json(const FlameTree& tree) {
  Numbered modules, files;
  std::string module =
      list(tree.frames, [&](const FlameFrame& frame) { return modules.number_of(frame.module); });
  std::string file =
      list(tree.frames, [&](const FlameFrame& frame) { return files.number_of(frame.file); });
  std::string color;
  for (FrameColor each : frame_colors(tree))
    color += {static_cast<char>('a' + each.hue), static_cast<char>('a' + each.shade)};
  return "\"modules\":" + modules.json() + ",\n\"files\":" + files.json() +
         ",\n\"names\":" + names_json(tree) + ",\n\"frames\":{\"module\":" + module +
         ",\n\"file\":" + file + ",\n\"color\":\"" + color + "\"}";
}

std::string nodes_json(const FlameTree& tree) {
  uint32_t depth = 0;
  std::string up = list(tree.nodes, [&](const FlameNode& node) {
    uint32_t levels = node.depth == 0 ? 0 : depth + 1 - node.depth;
    depth = node.depth;
    return std::to_string(levels);
  });
  return "{\"frame\":" +
         list(tree.nodes, [](const FlameNode& node) { return std::to_string(node.frame); }) +
         ",\n\"up\":" + up + ",\n\"self\":" +
         lists_of_sides(tree, tree.nodes, [](const FlameNode& node) { return node.self; }) + '}';
}

// Names of teams, and the number of each function's; "" when none has a team.
std::string teams_json(const FlameTree& tree) {
  if (std::ranges::all_of(tree.functions, [](const auto& row) { return row.team.empty(); }))
    return "";
  Numbered teams;
  const std::string team =
      list(tree.functions, [&](const FlameFunction& row) { return teams.number_of(row.team); });
  return ",\n\"teams\":" + teams.json() + ",\n\"team\":" + team;
}

std::string functions_json(const FlameTree& tree) {
  return "{\"frame\":" +
         list(tree.functions, [](const FlameFunction& row) { return std::to_string(row.frame); }) +
         ",\n\"flat\":" +
         lists_of_sides(tree, tree.functions, [](const auto& row) { return row.flat; }) +
         ",\n\"cumulative\":" +
         lists_of_sides(tree, tree.functions, [](const auto& row) { return row.cumulative; }) +
         teams_json(tree) + '}';
}

// "null" when nothing is known of any.
std::string certainty_json(const std::vector<FlameCertainty>& certainties) {
  if (std::ranges::all_of(certainties, [](const auto& each) { return each == FlameCertainty{}; }))
    return "null";
  std::string mark;
  for (const FlameCertainty& each : certainties)
    mark += static_cast<char>('0' + static_cast<int>(each.mark));
  std::string text =
      "{\"mark\":\"" + mark + "\",\n\"q\":" + list(certainties, [](const FlameCertainty& each) {
        return each.q ? number_text(*each.q) : "null";
      });
  if (std::ranges::any_of(certainties,
                          [](const auto& each) { return each.interval.has_value(); })) {
    auto bound = [&](auto part) {
      return list(certainties, [&](const FlameCertainty& each) {
        return each.interval ? std::to_string((*each.interval).*part) : "null";
      });
    };
    using Interval = std::pair<int64_t, int64_t>;
    text += ",\n\"low\":" + bound(&Interval::first) + ",\n\"high\":" + bound(&Interval::second);
  }
  return text + '}';
}

std::vector<FlameCertainty> certainties_of_functions(const FlameTree& tree,
                                                     FlameCertainty FlameFunction::* which) {
  std::vector<FlameCertainty> certainties;
  for (const FlameFunction& row : tree.functions) certainties.push_back(row.*which);
  return certainties;
}

std::string text_json(const std::string& text) { return json_text(printable_name(text)); }

std::string table_json(const FlamePageTable& table) {
  return "{\"title\":" + text_json(table.title) + ",\"numbers\":" + std::to_string(table.numbers) +
         ",\"columns\":" + list(table.columns, text_json) + ",\"rows\":" +
         list(table.rows,
              [](const std::vector<std::string>& row) { return list(row, text_json); }) +
         '}';
}

std::string data_json(const FlameTree& tree, const FlamePage& page) {
  std::vector<std::string> notes = page.notes;
  for (std::string& note : omission_notes(tree)) notes.push_back(std::move(note));
  std::string json =
      "{\"title\":" + text_json(page.title) + ",\"type\":" + text_json(tree.type) +
      ",\"unit\":" + text_json(tree.unit) + ",\"inShares\":" + (tree.in_shares ? "true" : "false") +
      ",\"valueSize\":" + exact_number_text(tree.value_size) + ",\"per\":" + text_json(tree.per) +
      ",\"minShare\":" + number_text(tree.omitted.min_share);
  json += ",\n\"facts\":" + list(page.facts, [](const auto& fact) {
            return '[' + text_json(fact.first) + ',' + text_json(fact.second) + ']';
          });
  json += ",\n\"notes\":" + list(notes, text_json);
  json += ",\n\"tables\":" + list(page.tables, table_json);
  json += ",\n\"sides\":" + list(tree.sides, [](const FlameSide& side) {
            return '[' + text_json(side.name) + ',' + std::to_string(side.whole) + ']';
          });
  json += ",\n" + frames_json(tree);
  json += ",\n\"nodes\":" + nodes_json(tree);
  json += ",\n\"functions\":" + functions_json(tree);
  json += ",\n\"certainty\":" + certainty_json(tree.certainties);
  json += ",\n\"flatCertainty\":" +
          certainty_json(certainties_of_functions(tree, &FlameFunction::flat_certainty));
  json += ",\n\"cumulativeCertainty\":" +
          certainty_json(certainties_of_functions(tree, &FlameFunction::cumulative_certainty));
  return json + "}\n";
}

}  // namespace

Result<std::string> flame_html(const FlameTree& tree, const FlamePage& page) {
  if (tree.nodes.empty() || tree.share(tree.nodes[0].total) <= 0)
    return fail(ErrorKind::kEmpty, "flame graph: no stack has a value above 0");
  const std::map<std::string_view, std::string> contents = {
      {"title", markup_text(printable_name(page.title))},
      {"subtitle", markup_text(printable_name(page.subtitle))},
      {"data", data_json(tree, page)},
  };
  std::string html;
  for (std::string_view rest = kTemplate; !rest.empty();) {
    size_t begin = rest.find("{{");
    html += rest.substr(0, begin);
    if (begin == std::string_view::npos) break;
    rest.remove_prefix(begin + 2);
    auto place = contents.find(rest.substr(0, rest.find("}}")));
    if (place == contents.end()) {
      html += "{{";  // of a script
      continue;
    }
    html += place->second;
    rest.remove_prefix(place->first.size() + 2);
  }
  return html;
}

}  // namespace pgo
