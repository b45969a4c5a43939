#include "parsers/jepsen_binary/jepsen_binary_format.h"

#include <memory>
#include <string>
#include <utility>

#include "parsers/jepsen/edn_format.h"
#include "parsers/jepsen_binary/open_ops.h"

namespace elapid {

using jepsen_binary::OpTexts;

namespace {

/// The text of the operation at `offset`. A damaged file is salvaged again.
Result<std::string> op_text(ByteSource& source, std::uint64_t offset) {
  const auto container = jepsen_binary::find_container(source);
  if (!container) {
    return container.error();
  }
  Result<std::unique_ptr<OpTexts>> ops = open_ops(source, container.value(), true, offset);
  if (!ops) {
    return std::move(ops.error());
  }
  std::string text;
  Result<bool> more = ops.value()->next(text);
  for (; more && more.value(); more = ops.value()->next(text)) {
    if (ops.value()->offset() == offset) {
      return text;
    }
  }
  return more ? malformed_at(offset, "expected an operation here, found none") : more.error();
}

}  // namespace

Result<EventDetails> read_jepsen_binary_event_details(ByteSource& source, std::uint64_t offset,
                                                      bool with_value) {
  Result<std::string> text = op_text(source, offset);
  if (!text) {
    text.error().file = source.name();
    return std::move(text.error());
  }
  return read_edn_event_details(*memory_source(source.name(), std::move(text).value()), 0,
                                with_value);
}

}  // namespace elapid
