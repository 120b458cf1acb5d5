// A URL as messages, reports and files may show it.
#pragma once

#include <string>
#include <string_view>

namespace pgo {

// Without the user and the password, without the values of its query ("?token=..."), and without
// its fragment. It need not be a URL: "me:secret@host" is "host". Valid UTF-8, in which '?' stands
// for what a terminal could take for a command.
std::string url_without_secrets(std::string_view url);

}  // namespace pgo
