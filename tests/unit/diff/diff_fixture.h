// What tests of diff() start from: small profiles of hosts and functions, and requests to compare
// them.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "converters/pprof/pprof_writer.h"
#include "pgo/diff/diff.h"
#include "tests/data/temporary_files.h"

namespace pgo::test {

class DiffFixture : public TemporaryFiles {
 protected:
  // A pprof of functions, each with its own samples, of one host.
  struct Function {
    const char* name;
    int64_t samples;
    const char* host;
  };
  std::string write_pprof_of(const std::string& name, const std::vector<Function>& functions,
                             const char* type = "samples", const char* program = nullptr) const {
    StackProfile profile;
    auto text = [&](const char* word) { return profile.strings.add(word); };
    profile.sample_types = {{text(type), text("count")}};
    uint64_t address = 0;
    MappingId mapping = kNoMapping;
    if (program != nullptr) mapping = profile.add_mapping({.filename = text(program)});
    for (const Function& function : functions) {
      FunctionId id =
          profile.add_function({.name = text(function.name), .system_name = text(function.name)});
      LocationId place = profile.add_location({mapping, RuntimeAddr{++address}}, {{id, 1, 0}});
      LabelsId labels = profile.add_labels({{.key = text("host"), .text = text(function.host)}});
      profile.add_sample({profile.add_stack({place}), labels}, {function.samples});
    }
    profile.normalize();
    return write(name, write_pprof(profile));
  }

  DiffRequest request(std::vector<std::string> before, std::vector<std::string> after) const {
    DiffRequest request;
    request.sides = {std::move(before), std::move(after)};
    request.jobs = 2;
    return request;
  }

  std::string error_of(const DiffRequest& request) const {
    Result<DiffResult> result = diff(request);
    if (result) return "no error";
    return relative(result.error().message);
  }

  static const DiffRow& row(const DiffResult& result, const std::string& name) {
    static const DiffRow kNone{{}, {.estimate = {{}, {}}}, {.estimate = {{}, {}}}};
    for (const DiffRow& one : result.rows)
      if (one.key.name == name) return one;
    ADD_FAILURE() << "no row " << name;
    return kNone;
  }
};

}  // namespace pgo::test
