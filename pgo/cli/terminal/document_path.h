// Where the documents are that messages refer to. Texts of the libraries name them like options
// (pgo/base/result.h): "\xFF{docs/guide/merge.md}".
#pragma once

#include <filesystem>
#include <string>

namespace pgo {

// The path of a document ("docs/guide/merge.md") of the installation or build tree that `program`,
// a path of pgo, belongs to; "docs/guide/merge.md of ProdPGO" when it is in neither.
std::string document_path(const std::string& name, const std::filesystem::path& program);

// Of the program that runs.
std::string document_path(const std::string& name);

}  // namespace pgo
