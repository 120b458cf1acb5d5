// What is wrong with the words of a command line, with what was probably meant. Knows the names of
// commands and options, and nothing of what they do.
#pragma once

#include <string>
#include <vector>

namespace pgo {

// Of a first word that is none of `commands`.
std::string describe_unknown_command(const std::string& name,
                                     const std::vector<std::string>& commands);

// Of the first argument like "-binary", which would be -b with the value "inary"; empty when there
// is none. `options`: "--binary". What follows "--" is not looked at.
std::string describe_single_dash(const std::vector<std::string>& arguments,
                                 const std::vector<std::string>& options);

// Of the first of `unparsed` that looks like an option; empty when there is none before "--".
// `after_dashes`: what goes after "--", as an example that ends there; empty: nothing does.
std::string describe_unknown_option(const std::vector<std::string>& unparsed,
                                    const std::vector<std::string>& options,
                                    const std::string& after_dashes);

}  // namespace pgo
