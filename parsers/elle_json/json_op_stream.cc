#include "parsers/elle_json/json_op_stream.h"

#include <string>

#include "parsers/elle_json/recorder_header.h"

namespace elapid {

bool JsonOpStream::next(OpMap& op) {
  if (!status_.ok()) {
    return false;
  }
  if (!step()) {
    status_ = stream_.status();
    return false;
  }
  const json::Value value = stream_.value();
  if (value.is_object()) {
    status_ = reader_.read(value, op);
    note_duplicate_key(op);
  } else {
    status_ = Error{.message = "element " + std::to_string(count()) + " is " + describe(value) +
                               ", not an operation object",
                    .byte_offset = value.offset()};
  }
  return status_.ok();
}

/// Steps to the next value, and skips a header at the beginning.
bool JsonOpStream::step() {
  if (!stream_.next()) {
    return false;
  }
  const bool is_header = stream_.count() == 1 && is_recorder_header(stream_.value());
  return !is_header || stream_.next();
}

/// Notes a repeated key of the operation or of an object in it. The reader took the last value.
void JsonOpStream::note_duplicate_key(OpMap& op) {
  if (const auto key = stream_.document().duplicate_key()) {
    op.twice =
        Error{.message = "an object has the key " + describe(*key) + " twice; the last one counts",
              .byte_offset = key->offset()};
  }
}

}  // namespace elapid
