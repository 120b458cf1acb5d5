// Where profiles come from: bundles, and the labels and times that summaries keep; as JSON and as
// lines of text.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "pgo/profile/origins.h"
#include "pgo/report/text_sheet.h"
#include "pgo/source/input_files.h"

namespace pgo {

// {"profiles": 3, "window": {"from": ..., "to": ...}, "labels": {"host": {"web-1": 2, ...}}}
nlohmann::json origins_json(const Origins& origins);
// Of recordings that do not say when they were made.
nlohmann::json modified_json(const Origins& modified);
// Rows "recorded", and one for each label: "web-1 (2), web-2".
void add_origins(const Origins& origins, TextSheet& sheet);

// Of the members of a bundle.
Origins origins_of(const Bundle& bundle);
// Query, sources and tool, with a summary of the members.
nlohmann::json bundle_json(const Bundle& bundle);
// A list of bundle_json(), with the path of each.
nlohmann::json provenance_json(const std::vector<std::shared_ptr<const InputBundle>>& bundles);

}  // namespace pgo
