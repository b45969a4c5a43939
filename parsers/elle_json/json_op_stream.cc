#include "parsers/elle_json/json_op_stream.h"

#include <string>

namespace elapid {

bool JsonOpStream::next() {
  if (!status_.ok()) {
    return false;
  }
  if (!stream_.next()) {
    status_ = stream_.status();
    return false;
  }
  const json::Value value = stream_.value();
  if (value.is_object()) {
    status_ = reader_.read(value, op_);
  } else {
    status_ = Error{.message = "element " + std::to_string(count()) + " is " + describe(value) +
                               ", not an operation object",
                    .byte_offset = value.offset()};
  }
  return status_.ok();
}

}  // namespace elapid
