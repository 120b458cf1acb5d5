#include "pgo/cli/arguments/network_options.h"

namespace pgo {

void add_network_options(CommandLine& line, NetworkArguments& arguments) {
  for (const NetworkOption& one : network_options()) {
    Option option = std::visit(
        [&](auto value) { return line.option(one.name, arguments.*value, one.help); }, one.value);
    option.group("Network");
    if (one.default_text != nullptr) option.default_text(one.default_text);
    if (one.most != 0) option.whole_number(1, one.most);
    if (one.environment != nullptr) option.environment(one.environment);
  }
}

}  // namespace pgo
