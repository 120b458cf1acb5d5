// Finding: one thing that `examine` found out about a machine, a compiler or a binary, and what to
// do about it.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "pgo/base/result.h"

namespace pgo {

enum class Verdict {
  kOk,
  kWarning,  // something is lost without it
  kMissing,  // the job cannot be done without it
  kError,    // it could not be examined
};

struct Finding {
  Verdict verdict = Verdict::kOk;
  std::string topic;   // one or two words: "clang", "build ID"
  std::string text;    // what there is; lines after the first begin with two spaces
  std::string advice;  // what to do; empty when there is nothing to do

  bool operator==(const Finding&) const = default;
};

// Findings in the order in which they are shown.
class Findings {
 public:
  void ok(std::string topic, std::string text) {
    findings_.push_back({Verdict::kOk, std::move(topic), std::move(text), ""});
  }
  void add(Finding finding) { findings_.push_back(std::move(finding)); }
  void add(Verdict verdict, std::string topic, const Error& error) {
    findings_.push_back({verdict, std::move(topic), error.message, error.advice});
  }

  const std::vector<Finding>& all() const { return findings_; }
  bool has(Verdict verdict) const {
    return std::any_of(findings_.begin(), findings_.end(),
                       [&](const Finding& finding) { return finding.verdict == verdict; });
  }

 private:
  std::vector<Finding> findings_;
};

}  // namespace pgo
