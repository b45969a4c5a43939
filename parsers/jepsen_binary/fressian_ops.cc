#include "parsers/jepsen_binary/fressian_ops.h"

#include <utility>

namespace elapid::jepsen_binary {

Result<bool> FressianOps::next(std::string& text) {
  if (has_ended_) {
    return false;
  }
  Result<bool> more = read_op(text);
  has_ended_ = !more || !more.value();
  if (!more && salvages_ && more.error().kind == ErrorKind::kMalformed) {
    note(more.error());
    return false;
  }
  return more;
}

Result<bool> FressianOps::read_op(std::string& text) {
  fressian::Decoder& decoder = reader_.decoder();
  while (true) {
    if (!history_) {
      if (Status status = find_history(); !status.ok()) {
        return std::move(status.error());
      }
    }
    if (!history_ && decoder.has_more()) {
      return malformed_at(decoder.offset(),
                          "expected the end of the file behind the test's map, found more bytes");
    }
    if (!history_) {
      return false;
    }
    Result<bool> more = decoder.next_item(*history_);
    if (!more) {
      return more;
    }
    if (more.value()) {
      break;
    }
    history_.reset();  // what follows is read for its errors
  }
  text.clear();
  offset_ = decoder.offset();
  reader_.structs().forget();
  if (Status status = decoder.append_value(text); !status.ok()) {
    return std::move(status.error());
  }
  is_tuple_ = reader_.structs().is_tuple();
  return true;
}

/// Passes over the map's entries to the history, or to the end of the map.
Status FressianOps::find_history() {
  fressian::Decoder& decoder = reader_.decoder();
  std::string key;
  std::string value;
  Result<bool> more = next_key(key);
  for (; more && more.value(); more = next_key(key)) {
    const bool is_history = key == ":history";
    if (is_history && !decoder.skip_null()) {
      Result<fressian::OpenList> list = decoder.open_list();
      if (!list) {
        return std::move(list.error());
      }
      history_ = list.value();
      return {};
    }
    value.clear();
    if (Status status = is_history ? Status() : decoder.append_value(value); !status.ok()) {
      return status;
    }
  }
  return more ? Status() : Status(std::move(more.error()));
}

/// Steps to the value of the map's next key. False at the end of the map.
Result<bool> FressianOps::next_key(std::string& key) {
  fressian::Decoder& decoder = reader_.decoder();
  if (!test_) {
    Result<fressian::OpenList> map = decoder.open_map();
    if (!map) {
      return std::move(map.error());
    }
    test_ = map.value();
  }
  Result<bool> more = decoder.next_item(*test_);
  if (!more || !more.value()) {
    return more;
  }
  key.clear();
  if (Status status = decoder.append_value(key); !status.ok()) {
    return std::move(status.error());
  }
  more = decoder.next_item(*test_);
  if (more && !more.value()) {
    return malformed_at(decoder.offset(), "expected a value for the map's last key, found none");
  }
  return more;
}

}  // namespace elapid::jepsen_binary
