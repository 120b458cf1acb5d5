# The warnings that this code is kept free of, on the oldest and the newest compiler supported.
add_library(prodpgo_warnings INTERFACE)
target_compile_options(prodpgo_warnings INTERFACE -Wall -Wextra -Wshadow -Wconversion
  $<$<BOOL:${PRODPGO_WERROR}>:-Werror>)
