// Error messages for unknown commands and options, with the name that was probably meant. Uses only
// the names of commands and options.
#pragma once

#include <string>
#include <vector>

namespace pgo {

// For a first word that is not in `commands`.
std::string describe_unknown_command(const std::string& name,
                                     const std::vector<std::string>& commands);

// For the first argument like "-binary", which would mean -b with the value "inary"; empty if there
// is none. `options` holds names like "--binary". Arguments after "--" are ignored.
std::string describe_single_dash(const std::vector<std::string>& arguments,
                                 const std::vector<std::string>& options);

// For the first argument like "--binary=", whose value would be the argument behind it; empty if
// there is none. `options` as before. Arguments after "--" are ignored.
std::string describe_empty_value(const std::vector<std::string>& arguments,
                                 const std::vector<std::string>& options);

// For the first of `unparsed` that looks like an option; empty if there is none before "--".
// `after_dashes` says what goes after "--", as the start of an example; empty if nothing may.
std::string describe_unknown_option(const std::vector<std::string>& unparsed,
                                    const std::vector<std::string>& options,
                                    const std::string& after_dashes);

}  // namespace pgo
