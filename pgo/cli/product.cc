#include "pgo/cli/product.h"

#include "pgo/base/atomic_file.h"
#include "pgo/base/end_requests.h"

namespace pgo {

Result<void> write_products(const std::vector<Product>& products) {
  std::vector<AtomicFile> pipes;
  {
    EndRequests requests;
    std::vector<AtomicFile> files;
    for (const Product& product : products) {
      PGO_TRY(AtomicFile file, AtomicFile::write(product.path, product.contents));
      (file.temporary().empty() ? pipes : files).push_back(std::move(file));
    }
    for (AtomicFile& file : files) PGO_CHECK(file.commit());
  }
  for (AtomicFile& pipe : pipes) PGO_CHECK(pipe.commit());
  return ok();
}

}  // namespace pgo
