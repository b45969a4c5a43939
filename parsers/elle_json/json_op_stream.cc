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
    note_duplicate_key();
  } else {
    status_ = Error{.message = "element " + std::to_string(count()) + " is " + describe(value) +
                               ", not an operation object",
                    .byte_offset = value.offset()};
  }
  return status_.ok();
}

/// Of a key that the operation, or an object in it, has twice, the reader took the last value.
void JsonOpStream::note_duplicate_key() {
  if (const auto key = stream_.document().duplicate_key()) {
    op_.twice =
        Error{.message = "an object has the key " + describe(*key) + " twice; the last one counts",
              .byte_offset = key->offset()};
  }
}

}  // namespace elapid
