#include "pgo/cli/diagnosis.h"

#include <algorithm>

#include "pgo/cli/text_sheet.h"

namespace pgo {
namespace {

constexpr size_t kVerdictWidth = 9, kTopicWidth = 15;

std::string verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::kOk: return "ok";
    case Verdict::kWarning: return "warning";
    case Verdict::kMissing: return "missing";
    case Verdict::kError: return "error";
  }
  return "";
}

std::string padded(std::string text, size_t width) {
  text.resize(std::max(text.size() + 1, width), ' ');
  return text;
}

// Further lines of `text` begin where the first one does.
std::string indented(const std::string& text) {
  std::string result;
  for (char c : text) {
    result += c;
    if (c == '\n') result += std::string(2 + kVerdictWidth + kTopicWidth, ' ');
  }
  return result;
}

}  // namespace

bool Diagnosis::has(Verdict verdict) const {
  return std::any_of(findings_.begin(), findings_.end(),
                     [&](const Finding& finding) { return finding.verdict == verdict; });
}

std::string Diagnosis::text() const {
  std::string text;
  for (const Finding& finding : findings_) {
    text += "  " + padded(verdict_name(finding.verdict), kVerdictWidth) +
            padded(finding.topic, kTopicWidth) + indented(finding.text);
    if (!finding.advice.empty()) text += indented("\n-> " + finding.advice);
    text += "\n";
  }
  return printable(text);
}

nlohmann::json Diagnosis::json() const {
  nlohmann::json json = nlohmann::json::array();
  for (const Finding& finding : findings_)
    json.push_back({{"verdict", verdict_name(finding.verdict)},
                    {"topic", finding.topic},
                    {"text", finding.text},
                    {"advice", finding.advice}});
  return json;
}

}  // namespace pgo
