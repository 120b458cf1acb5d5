#include "pgo/report/lock_diff_report.h"

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "pgo/base/number_text.h"
#include "pgo/base/time_text.h"
#include "pgo/code/shown_name.h"
#include "pgo/report/json_text.h"
#include "pgo/report/markdown_table.h"
#include "pgo/report/text_sheet.h"
#include "pgo/report/versions_report.h"

namespace pgo {
namespace {

using Row = std::vector<std::string>;

constexpr const char* kNoField = "-";
constexpr size_t kBuildsInRow = 3;

const char* change_words(LockChange change) {
  switch (change) {
    case LockChange::kAdded: return "added";
    case LockChange::kRemoved: return "removed";
    case LockChange::kRepinned: return "pinned to another version";
    case LockChange::kSameFiles: return "pinned to another version with the same files";
    case LockChange::kSameVersion: return "the same version, described otherwise";
  }
  return "";
}

const char* change_name(LockChange change) {
  switch (change) {
    case LockChange::kAdded: return "added";
    case LockChange::kRemoved: return "removed";
    case LockChange::kRepinned: return "repinned";
    case LockChange::kSameFiles: return "same-files";
    case LockChange::kSameVersion: return "same-version";
  }
  return "";
}

const char* effect_name(ExpectedEffect effect) {
  switch (effect) {
    case ExpectedEffect::kNone: return "none";
    case ExpectedEffect::kByChance: return "by-chance";
    case ExpectedEffect::kSmall: return "small";
    case ExpectedEffect::kPart: return "part";
    case ExpectedEffect::kMost: return "most";
    case ExpectedEffect::kUnknown: return "unknown";
  }
  return "";
}

const char* move_name(FunctionMove move) {
  switch (move) {
    case FunctionMove::kCame: return "came";
    case FunctionMove::kWent: return "went";
    case FunctionMove::kMoved: return "moved";
  }
  return "";
}

// "server.fdata (clang-lto)".
std::string file_name(const FileChange& file) {
  const ProfileFile& shown = file.either();
  const std::string name = file.before && file.after && file.before->name != file.after->name
                               ? file.before->name + " -> " + file.after->name
                               : shown.name;
  return name + (shown.configuration.empty() ? "" : " (" + shown.configuration + ")");
}

std::string why_unknown(const FileChange& file) {
  if (file.is_missing) return "effect not known: the profiles are not in the cache";
  if (!file.not_compared.empty()) return "effect not known: " + file.not_compared;
  return "effect not known: profiles of this kind are not compared";
}

std::string effect_words(const FileChange& file) {
  const std::string overlap =
      file.comparison ? "overlap " + format_share(file.comparison->overlap) : "";
  switch (file.effect()) {
    case ExpectedEffect::kNone: return "no effect: the file is the same";
    case ExpectedEffect::kByChance:
      return "hardly any effect: " + overlap +
             ", not below the split-half overlap of one of the profiles";
    case ExpectedEffect::kSmall: return "a small effect: " + overlap;
    case ExpectedEffect::kPart: return "other code is hot in part: " + overlap;
    case ExpectedEffect::kMost: return "mostly other code is hot: " + overlap;
    case ExpectedEffect::kUnknown: return why_unknown(file);
  }
  return "";
}

// What changed about the key that the version must be signed by; empty: nothing.
std::string signature_words(const ProfileChange& change) {
  if (!change.before || !change.after || change.before->signed_by == change.after->signed_by)
    return "";
  if (change.after->signed_by.empty()) return "no signature is required any more";
  return change.before->signed_by.empty() ? "a signature is required now"
                                          : "the signature of another key is required now";
}

// "server: pinned to another version; no signature is required any more", without the name.
std::string headline(const ProfileChange& change) {
  const std::string signature = signature_words(change);
  if (signature.empty()) return change_words(change.change);
  if (change.change == LockChange::kSameVersion) return signature;
  return change_words(change.change) + ("; " + signature);
}

// What the lock file no longer says of a file.
void add_losses(const std::string& name, const ProfileFile& before, const ProfileFile& after,
                std::vector<std::string>& lines) {
  constexpr const char* kUnknownNow = " is not known any more: push the report of the conversion";
  if (after.quality == Quality::kUnknown && before.quality != Quality::kUnknown)
    lines.push_back(name + ": the quality, " + std::string(quality_name(before.quality)) +
                    " before," + kUnknownNow);
  else if (after.quality < before.quality)
    lines.push_back(name + ": the quality fell from " + std::string(quality_name(before.quality)) +
                    " to " + std::string(quality_name(after.quality)));
  if (after.evidence == Evidence::kUnknown && before.evidence != Evidence::kUnknown)
    lines.push_back(name + ": the evidence, " + std::string(evidence_words(before.evidence)) +
                    " before," + kUnknownNow);
}

// What a reviewer should see first, for each file that builds use.
std::vector<std::string> expectations(const ProfileChange& change) {
  std::vector<std::string> lines;
  for (const FileChange& file : change.files) {
    if (file.either().kind == FileKind::kReport) continue;
    std::string line = file_name(file) + ": ";
    if (!file.before || !file.after) {
      lines.push_back(line + (file.after ? "new" : "gone"));
      continue;
    }
    line += effect_words(file);
    if (file.comparison && file.comparison->came + file.comparison->went != 0)
      line += "; hot functions: " + format_count(file.comparison->came) + " added, " +
              format_count(file.comparison->went) + " removed";
    lines.push_back(line);
    add_losses(file_name(file), *file.before, *file.after, lines);
  }
  return lines;
}

// "sha256:5f0c3d9b1a6e".
std::string short_digest(const std::string& digest) { return digest.substr(0, 19); }

std::string window_words(const LockEntry& entry) {
  return entry.window ? format_time(entry.window->begin) + "/" + format_time(entry.window->end)
                      : "";
}

std::string builds_words(const ProfileFile& file) {
  std::string text;
  for (size_t i = 0; i < file.of_builds.size() && i < kBuildsInRow; i++)
    text += (i == 0 ? "" : ", ") + file.of_builds[i].substr(0, 12);
  if (file.of_builds.size() > kBuildsInRow)
    text += " and " + format_count(file.of_builds.size() - kBuildsInRow) + " more";
  return text;
}

// Rows of "what, before, after".
class FieldRows {
 public:
  enum class Show { kAlways, kChanged };

  template <typename T>
  void add(const char* label, const std::optional<T>& before, const std::optional<T>& after,
           const std::function<std::string(const T&)>& text, Show show = Show::kAlways) {
    const std::string old_text = before ? text(*before) : "", new_text = after ? text(*after) : "";
    if (old_text.empty() && new_text.empty()) return;
    if (show == Show::kChanged && old_text == new_text) return;
    auto shown = [](const std::string& value) { return value.empty() ? kNoField : value; };
    rows_.push_back({std::exchange(group_, ""), label, shown(old_text), shown(new_text)});
  }
  // Of the rows that follow.
  void group(std::string name) { group_ = std::move(name); }
  const std::vector<Row>& rows() const { return rows_; }

 private:
  std::string group_;
  std::vector<Row> rows_;
};

void add_entry_rows(const ProfileChange& change, FieldRows& rows) {
  auto add = [&](const char* label, const std::function<std::string(const LockEntry&)>& text,
                 FieldRows::Show show) {
    rows.add(label, change.before, change.after, text, show);
  };
  constexpr auto kAlways = FieldRows::Show::kAlways, kChanged = FieldRows::Show::kChanged;
  add("version", [](const LockEntry& entry) { return short_digest(entry.manifest); }, kAlways);
  add("reference", [](const LockEntry& entry) { return entry.reference; }, kAlways);
  add("window", window_words, kAlways);
  add("source", [](const LockEntry& entry) { return entry.source; }, kChanged);
  add("tool", [](const LockEntry& entry) { return entry.tool; }, kChanged);
  add("signed by", [](const LockEntry& entry) { return entry.signed_by; }, kChanged);
}

void add_file_rows(const FileChange& file, FieldRows& rows) {
  auto add = [&](const char* label, const std::function<std::string(const ProfileFile&)>& text,
                 FieldRows::Show show = FieldRows::Show::kAlways) {
    rows.add(label, file.before, file.after, text, show);
  };
  rows.group(file_name(file));
  add("digest", [](const ProfileFile& one) { return short_digest(one.digest); });
  add("samples", [](const ProfileFile& one) {
    return one.samples ? format_count(*one.samples) : std::string();
  });
  add("quality", [](const ProfileFile& one) {
    return one.quality == Quality::kUnknown ? "" : std::string(quality_name(one.quality));
  });
  add("density", [](const ProfileFile& one) {
    return one.density ? format_decimal(*one.density, 1) : std::string();
  });
  add("evidence", [](const ProfileFile& one) {
    return one.evidence == Evidence::kUnknown ? "" : std::string(evidence_words(one.evidence));
  });
  add("builds", builds_words);
  add("library", [](const ProfileFile& one) { return one.library; });
  add("fits build", [](const ProfileFile& one) { return one.bolt_of.substr(0, 12); });
  add(
      "size", [](const ProfileFile& one) { return format_size(one.size); },
      FieldRows::Show::kChanged);
}

std::vector<Row> field_rows(const ProfileChange& change) {
  FieldRows rows;
  add_entry_rows(change, rows);
  for (const FileChange& file : change.files)
    if (!file.is_same()) add_file_rows(file, rows);
  return rows.rows();
}

const std::vector<TableColumn> kFieldColumns = {{"FILE"}, {"FIELD"}, {"BEFORE"}, {"AFTER"}};

const std::vector<TableColumn> kFunctionColumns = {{"BEFORE", Align::kRight},
                                                   {"AFTER", Align::kRight},
                                                   {"HOT"},
                                                   {"FUNCTION", Align::kLeft, CellText::kCode}};

// Static functions of several files may have one name; what makes their raw names unique tells them
// apart.
std::vector<std::string> function_names(const std::vector<MovedFunction>& functions) {
  std::map<std::string, size_t> uses;
  std::vector<std::string> names;
  for (const MovedFunction& function : functions)
    uses[names.emplace_back(shown_name(function.name))]++;
  for (size_t i = 0; i < functions.size(); i++) {
    const std::string& raw = functions[i].name;
    const size_t unique = raw.rfind(".__uniq.");
    if (uses[names[i]] > 1 && unique != raw.npos) names[i] += " (" + raw.substr(unique) + ")";
  }
  return names;
}

std::vector<Row> function_rows(const ProfileComparison& comparison) {
  const std::vector<std::string> names = function_names(comparison.functions);
  std::vector<Row> rows;
  for (size_t i = 0; i < names.size(); i++) {
    const MovedFunction& function = comparison.functions[i];
    rows.push_back({format_share(function.before), format_share(function.after),
                    function.move == FunctionMove::kMoved ? "" : move_name(function.move),
                    names[i]});
  }
  return rows;
}

std::string moved_title(const FileChange& file) {
  return file_name(file) + ": the functions whose shares changed most";
}

// "pgo.lock: HEAD:pgo.lock -> pgo.lock: 1 added, 2 unchanged".
std::string summary(const LockDiffResult& result) {
  std::string text;
  auto add = [&](uint64_t count, const std::string& words) {
    if (count != 0) text += (text.empty() ? "" : ", ") + format_count(count) + " " + words;
  };
  for (LockChange kind : {LockChange::kAdded, LockChange::kRemoved, LockChange::kRepinned,
                          LockChange::kSameFiles, LockChange::kSameVersion}) {
    uint64_t count = 0;
    for (const ProfileChange& change : result.changes) count += change.change == kind ? 1 : 0;
    add(count, change_words(kind));
  }
  add(result.unchanged, "unchanged");
  return text.empty() ? "no profiles" : text;
}

nlohmann::json comparison_json(const ProfileComparison& comparison) {
  nlohmann::json functions = nlohmann::json::array();
  for (const MovedFunction& function : comparison.functions)
    functions.push_back({{"function", function.name},
                         {"before", rounded(function.before, 6)},
                         {"after", rounded(function.after, 6)},
                         {"move", move_name(function.move)}});
  return {{"overlap", rounded(comparison.overlap, 6)},
          {"hot_functions_came", comparison.came},
          {"hot_functions_went", comparison.went},
          {"functions", std::move(functions)}};
}

nlohmann::json file_change_json(const FileChange& file) {
  nlohmann::json object = {
      {"before", file.before ? profile_file_json(*file.before) : nlohmann::json()},
      {"after", file.after ? profile_file_json(*file.after) : nlohmann::json()},
      {"effect", effect_name(file.effect())}};
  if (file.comparison) object["comparison"] = comparison_json(*file.comparison);
  if (file.is_missing) object["missing"] = true;
  if (!file.not_compared.empty()) object["not_compared"] = file.not_compared;
  return object;
}

nlohmann::json entry_json(const std::optional<LockEntry>& entry) {
  if (!entry) return nullptr;
  nlohmann::json object = {{"manifest", entry->manifest}, {"reference", entry->reference}};
  auto set = [&](const char* key, const std::string& text) {
    if (!text.empty()) object[key] = text;
  };
  set("window", window_words(*entry));
  set("source", entry->source);
  set("tool", entry->tool);
  set("signed_by", entry->signed_by);
  return object;
}

constexpr const char* kOverlapCaution =
    "An overlap does not say how much faster or slower a program becomes: measure it";

bool has_comparison(const LockDiffResult& result) {
  for (const ProfileChange& change : result.changes)
    for (const FileChange& file : change.files)
      if (file.comparison) return true;
  return false;
}

}  // namespace

std::string lock_diff_text(const LockDiffResult& result) {
  TextSheet sheet;
  sheet.line(result.before + " -> " + result.after + ": " + summary(result));
  for (const ProfileChange& change : result.changes) {
    sheet.block(printable_line(change.name + ": " + headline(change)) + "\n");
    for (const std::string& line : expectations(change)) sheet.line("  " + line);
    sheet.table(kFieldColumns, field_rows(change));
    for (const FileChange& file : change.files) {
      if (!file.comparison || file.comparison->functions.empty()) continue;
      sheet.block("  " + printable_line(moved_title(file)) + "\n");
      sheet.table(kFunctionColumns, function_rows(*file.comparison));
    }
  }
  return sheet.text();
}

std::string lock_diff_markdown(const LockDiffResult& result) {
  const bool is_same = result.before == result.after;  // before and after a run
  std::string text = "**Profiles: " + markdown_text(summary(result)) + "** (" +
                     markdown_code(result.before) +
                     (is_same ? "" : " → " + markdown_code(result.after)) + ")\n";
  for (const ProfileChange& change : result.changes) {
    text += "\n### " + markdown_code(change.name) + ": " + headline(change) + "\n";
    const std::vector<std::string> lines = expectations(change);
    text += lines.empty() ? "" : "\n";
    for (const std::string& line : lines) text += "- " + markdown_text(line) + "\n";
    text += markdown_table(kFieldColumns, field_rows(change));
    for (const FileChange& file : change.files) {
      if (!file.comparison || file.comparison->functions.empty()) continue;
      text += "\n" + markdown_text(moved_title(file)) + ":\n" +
              markdown_table(kFunctionColumns, function_rows(*file.comparison));
    }
  }
  if (has_comparison(result)) text += "\n" + std::string(kOverlapCaution) + ".\n";
  return text + markdown_warnings(warnings_of(lock_diff_messages(result)));
}

nlohmann::json lock_diff_json(const LockDiffResult& result) {
  nlohmann::json profiles = nlohmann::json::array();
  for (const ProfileChange& change : result.changes) {
    nlohmann::json files = nlohmann::json::array();
    for (const FileChange& file : change.files) files.push_back(file_change_json(file));
    profiles.push_back({{"name", change.name},
                        {"change", change_name(change.change)},
                        {"before", entry_json(change.before)},
                        {"after", entry_json(change.after)},
                        {"files", std::move(files)}});
  }
  return {{"before", result.before},
          {"after", result.after},
          {"profiles", std::move(profiles)},
          {"unchanged", result.unchanged},
          {"warnings", warnings_json(result.diagnostics)}};
}

std::vector<Message> lock_diff_messages(const LockDiffResult& result) {
  std::vector<Message> messages = messages_of(result.diagnostics);
  for (const ProfileChange& change : result.changes)
    if (const std::string words = signature_words(change);
        !words.empty() && change.before && !change.before->signed_by.empty())
      messages.push_back(warning(change.name + ": " + words));
  if (has_comparison(result))
    messages.push_back(note(std::string(kOverlapCaution) + " (pgo verify)"));
  if (result.is_missing_profiles() && result.was_pulled)
    messages.push_back(note("not all profiles could be pulled, so they are not compared"));
  if (result.is_missing_profiles() && !result.was_pulled)
    messages.push_back(
        note("not all profiles are in the cache, so they are not compared; \xFF{pull} fetches both "
             "sides, 'pgo pull \xFF{locked}' those of a lock file"));
  return messages;
}

}  // namespace pgo
