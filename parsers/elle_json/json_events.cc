#include "parsers/elle_json/json_events.h"

#include "parsers/elle_json/json_op_stream.h"

namespace elapid {

Result<ParsedHistory> read_json_history(ByteSource& source, const ReadOptions& options,
                                        Format format) {
  return read_op_history<JsonOpStream>(source, options, format);
}

}  // namespace elapid
