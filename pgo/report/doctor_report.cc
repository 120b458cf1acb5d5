#include "pgo/report/doctor_report.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "pgo/report/text_sheet.h"

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

// Further lines of `text` begin where the first one does. It has no other line ends than its own.
std::string indented(const std::string& text) {
  std::string result;
  for (const std::string& line : lines_of(printable(text)))
    result +=
        (result.empty() ? "" : "\n" + std::string(2 + kVerdictWidth + kTopicWidth - 2, ' ')) + line;
  return result;
}

enum class Shown { kAll, kNotOk };

std::string findings_text(const std::string& title, const Findings& findings, Shown shown) {
  std::string text = printable_line(title) + "\n";
  for (const Finding& finding : findings.all()) {
    if (shown == Shown::kNotOk && finding.verdict == Verdict::kOk) continue;
    text += "  " + padded(verdict_name(finding.verdict), kVerdictWidth) +
            padded(finding.topic, kTopicWidth) + indented(finding.text);
    if (!finding.advice.empty())
      text += "\n" + std::string(2 + kVerdictWidth + kTopicWidth, ' ') +
              printable_line("-> " + finding.advice);
    text += "\n";
  }
  return text;
}

bool is_ok(const Findings& findings) {
  return std::all_of(findings.all().begin(), findings.all().end(),
                     [](const Finding& finding) { return finding.verdict == Verdict::kOk; });
}

nlohmann::json findings_json(const Findings& findings) {
  nlohmann::json json = nlohmann::json::array();
  for (const Finding& finding : findings.all())
    json.push_back({{"verdict", verdict_name(finding.verdict)},
                    {"topic", finding.topic},
                    {"text", finding.text},
                    {"advice", finding.advice}});
  return json;
}

}  // namespace

nlohmann::json doctor_json(const DoctorResult& result) {
  nlohmann::json json = {{"machine", findings_json(result.machine)},
                         {"binaries", nlohmann::json::array()},
                         {"ready", result.is_ready()}};
  for (const BinaryFindings& binary : result.binaries)
    json["binaries"].push_back(
        {{"path", binary.path}, {"findings", findings_json(binary.findings)}});
  return json;
}

std::string doctor_text(const DoctorResult& result) {
  std::string text;
  for (const BinaryFindings& binary : result.binaries)
    text += findings_text(binary.path + ":", binary.findings, Shown::kAll) + "\n";
  // Who asks about a binary wants to hear of the machine only what is wrong with it.
  const bool all = result.binaries.empty();
  text +=
      !all && is_ok(result.machine)
          ? "This machine has everything that is required ('pgo doctor' lists it).\n"
          : findings_text(all ? "This machine:" : "This machine (problems only):", result.machine,
                          all ? Shown::kAll : Shown::kNotOk);
  if (result.has(Verdict::kMissing)) text += "\nSomething required is missing.\n";
  if (result.has(Verdict::kError)) text += "\nSome checks could not be done.\n";
  if (result.is_ready())
    text += result.has(Verdict::kWarning) ? "\nEverything required is present; see the warnings.\n"
                                          : "\nEverything required is present.\n";
  return text;
}

}  // namespace pgo
