#include "converters/flame_graph/frame_name.h"

namespace pgo {
namespace {

// Where the last "::" outside of <> and () is, before the arguments; 0 when there is none.
size_t end_of_scope(std::string_view name) {
  size_t depth = 0, end = 0;
  for (size_t i = 0; i < name.size(); i++) {
    bool is_bracket = name[i] == '(' && name.substr(i, 21) != "(anonymous namespace)";
    if (is_bracket && i > 0 && depth == 0) break;
    if (name[i] == '<') depth++;
    if (name[i] == '>' && depth > 0) depth--;
    if (depth == 0 && name.substr(i, 2) == "::") end = i;
  }
  return end;
}

// Where the first "(" outside of <> is; npos when there is none.
size_t start_of_arguments(std::string_view name) {
  size_t depth = 0;
  for (size_t i = 0; i < name.size(); i++) {
    if (name[i] == '(' && depth == 0) return i;
    if (name[i] == '<') depth++;
    if (name[i] == '>' && depth > 0) depth--;
  }
  return std::string_view::npos;
}

// The last slash of a package of Go, or npos. In C++ a slash is an operator, or in the path of a
// file.
size_t package_slash(std::string_view name) {
  std::string_view path = name.substr(0, name.find_first_of("(<[{ "));
  path = path.substr(0, path.find("::"));
  if (path == "operator/" || path == "operator/=" || path.ends_with('/'))
    return std::string_view::npos;
  return path.rfind('/');
}

}  // namespace

std::string_view scope_of(std::string_view name) {
  // Go: the package ends with the first dot after the last slash.
  if (size_t slash = package_slash(name); slash != std::string_view::npos)
    return name.substr(0, name.find('.', slash));
  std::string_view scope = name.substr(0, end_of_scope(name));
  return scope.substr(0, scope.find('<'));
}

std::string_view last_part(std::string_view name) {
  if (size_t slash = package_slash(name); slash != std::string_view::npos)
    return name.substr(slash + 1);
  size_t end = end_of_scope(name);
  std::string_view part = name.substr(end == 0 ? 0 : end + 2);
  if (part.empty()) return name;
  size_t arguments = start_of_arguments(part);
  bool is_operator = part.starts_with("operator");
  return is_operator || arguments == 0 ? part : part.substr(0, arguments);
}

}  // namespace pgo
