// Diagnosis: what `pgo doctor` finds, one finding a line, for people and as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "pgo/base/result.h"

namespace pgo {

enum class Verdict {
  kOk,
  kWarning,  // something is lost without it
  kMissing,  // the job cannot be done without it
  kError,    // could not be looked at
};

struct Finding {
  Verdict verdict = Verdict::kOk;
  std::string topic;   // one or two words: "clang", "build id"
  std::string text;    // what there is
  std::string advice;  // what to do; empty when there is nothing to do
};

class Diagnosis {
 public:
  void ok(std::string topic, std::string text) {
    findings_.push_back({Verdict::kOk, std::move(topic), std::move(text), ""});
  }
  void add(Finding finding) { findings_.push_back(std::move(finding)); }
  void add(std::string topic, const Error& error) {
    findings_.push_back({Verdict::kError, std::move(topic), error.message, ""});
  }

  const std::vector<Finding>& findings() const { return findings_; }
  bool has(Verdict verdict) const;
  // "  ok       clang         22.1.8 (/usr/bin/clang-22) ...", advice on a line of its own.
  std::string text() const;
  nlohmann::json json() const;

 private:
  std::vector<Finding> findings_;
};

}  // namespace pgo
