#include "parsers/jepsen/edn_events.h"

#include "parsers/jepsen/op_stream.h"

namespace elapid {

Result<History> read_edn_history(ByteSource& source, const ReadOptions& options) {
  return read_op_history<OpStream>(source, options, Format::kEdn);
}

Result<std::vector<IndependentHistory>> read_independent_edn(ByteSource& source,
                                                             const ReadOptions& options) {
  return read_independent_histories<OpStream>(source, options, Format::kEdn);
}

}  // namespace elapid
