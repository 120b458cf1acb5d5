#include "pgo/report/release_builds.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "pgo/base/number_text.h"
#include "pgo/code/shown_name.h"
#include "pgo/report/match_report.h"
#include "pgo/report/note_json.h"

namespace pgo {
namespace {

const char* side_of(const ReleaseBuild& build) {
  if (build.on_side[0] && build.on_side[1]) return "both";
  if (build.on_side[0]) return "before";
  return build.on_side[1] ? "after" : "neither side";
}

std::string note_text(const ReleaseBuild& build) {
  if (!build.note) return "no note of a profile";
  std::string text = describe_profile_note(*build.note);
  std::replace(text.begin(), text.end(), '\n', ' ');
  return "profile: " + text;
}

// Where others have notes, a binary without one is a library of the system, mostly. The same
// program of the other side may have lost its note, or got it.
bool is_shown(const VerifyResult& result, const ReleaseBuild& build) {
  const std::vector<ReleaseBuild>& builds = result.builds;
  auto has_note = [](const ReleaseBuild& one) { return one.note.has_value(); };
  if (build.note || std::none_of(builds.begin(), builds.end(), has_note)) return true;
  if (result.match && result.match->binary == build.path) return true;
  return std::any_of(builds.begin(), builds.end(), [&](const ReleaseBuild& other) {
    if (!other.note) return false;
    return (build.on_side[0] && other.on_side[1] && is_same_program(builds, build, other)) ||
           (build.on_side[1] && other.on_side[0] && is_same_program(builds, other, build));
  });
}

Phrase unreached_line(const VerifyResult& result, const UnreachedFunction& function) {
  const DiffRow& row = result.comparison.rows[function.row];
  return "not optimized by the profile: " + Phrase::code(shown_name(row.key.name)) + " (" +
         format_share(function.share) + " of the cost): " + match_reason_text(function.reason);
}

}  // namespace

std::vector<Phrase> build_lines(const VerifyResult& result) {
  constexpr size_t kFunctions = 5;
  std::vector<Phrase> lines;
  for (const ReleaseBuild& build : result.builds)
    if (is_shown(result, build))
      lines.push_back(std::string(side_of(build)) + ": " + build.path + ", " +
                      format_size(build.code_size) + " of code, " + note_text(build));
  if (!result.match) return lines;
  lines.push_back(format_share(result.match->match_rate()) + " of the profile " +
                  result.match->profile + " matches " + result.match->binary);
  for (size_t i = 0; i < std::min(kFunctions, result.unreached.size()); i++)
    lines.push_back(unreached_line(result, result.unreached[i]));
  if (result.unreached.size() > kFunctions)
    lines.push_back("and " + format_count(result.unreached.size() - kFunctions, "more function"));
  return lines;
}

nlohmann::json builds_json(const VerifyResult& result) {
  nlohmann::json json = nlohmann::json::object();
  for (const ReleaseBuild& build : result.builds)
    json["builds"].push_back({{"path", build.path},
                              {"build_id", build.id.hex()},
                              {"side", side_of(build)},
                              {"code_size", build.code_size},
                              {"note", note_json(build.note)}});
  if (!result.match) return json;
  json["match_rate"] = result.match->match_rate();
  json["unreached"] = nlohmann::json::array();
  for (const UnreachedFunction& function : result.unreached)
    json["unreached"].push_back({{"name", result.comparison.rows[function.row].key.name},
                                 {"share", function.share},
                                 {"unmatched", function.unmatched},
                                 {"reason", match_reason_word(function.reason)}});
  return json;
}

}  // namespace pgo
