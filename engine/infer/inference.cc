#include "engine/infer/inference.h"

#include <utility>

namespace elapid {

void add_bundle(RwBundle bundle, Inference& inference) {
  constexpr std::size_t kFew = 4;
  const std::size_t pairs = bundle.readers.size() * bundle.writers.size();
  if (pairs > kFew * (bundle.readers.size() + bundle.writers.size())) {
    inference.bundles.push_back(std::move(bundle));
    return;
  }
  for (const TxnId reader : bundle.readers) {
    for (const TxnId writer : bundle.writers) {
      if (reader != writer) {
        inference.edges.push_back({reader.value, writer.value, kRwEdge});
      }
    }
  }
}

}  // namespace elapid
