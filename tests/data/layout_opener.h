// open_layout(): opens references of layouts in a directory, as the command line does.
#pragma once

#include <memory>
#include <utility>

#include "pgo/registry/oci_layout.h"
#include "pgo/versions/registry_opener.h"

namespace pgo::test {

inline Result<std::unique_ptr<Registry>> open_layout(const RegistryReference& reference,
                                                     RegistryUse use) {
  PGO_TRY(std::unique_ptr<OciLayout> layout, use == RegistryUse::kPush
                                                 ? OciLayout::open_to_push(reference.path)
                                                 : OciLayout::open(reference.path));
  return std::unique_ptr<Registry>(std::move(layout));
}

}  // namespace pgo::test
