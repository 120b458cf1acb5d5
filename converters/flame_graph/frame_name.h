// Parts of the names of functions, as C++, Rust and Go write them. What is not a name gives a part
// of the text, or nothing.
#pragma once

#include <string_view>

namespace pgo {

// "ns::Map" of "ns::Map<int>::find(int)", "net/http" of "net/http.(*Server).Serve", "" of "main".
std::string_view scope_of(std::string_view name);

// "find" of "ns::Map<int>::find(int)", "http.(*Server).Serve" of "net/http.(*Server).Serve", "main"
// of "main".
std::string_view last_part(std::string_view name);

}  // namespace pgo
