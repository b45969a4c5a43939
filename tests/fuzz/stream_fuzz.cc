// Streams: any lines are transactions, headers, blank, or an error of one line with a place in the
// line; and none of them changes what the next one is.
#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>

#include "parsers/stream/stream_line.h"
#include "tests/fuzz/harness.h"

namespace elapid {
namespace {

void require(bool condition) {
  if (!condition) {
    std::abort();
  }
}

/// Whether the places of texts and the ranges of lists are valid.
void check_ranges(const TimekillerTxn& txn) {
  const auto check = [&txn](const TimekillerScalar& scalar) {
    require(scalar.is_number() || scalar.text < txn.texts.size());
  };
  check(txn.id);
  check(txn.session);
  for (const TimekillerOp& op : txn.ops) {
    check(op.key);
    check(op.value);
    require(std::size_t{op.list_begin} + op.list_length <= txn.elements.size());
  }
  for (const TimekillerScalar& element : txn.elements) {
    check(element);
  }
  require(txn.start.logical >= 0 && txn.commit.logical >= 0);
}

std::string shape(const Result<StreamLine>& read, const StreamTxn& txn) {
  if (!read) {
    return read.error().message;
  }
  return read.value() == StreamLine::kTransaction
             ? std::to_string(txn.txn.ops.size()) + " " + txn.txn.text_of(txn.txn.id)
             : "";
}

void run(std::string_view text) {
  StreamLineReader reader;
  StreamTxn txn;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const Result<StreamLine> read = reader.read(line, txn);
    if (!read) {
      require(read.error().kind == ErrorKind::kMalformed && read.error().byte_offset.has_value());
      require(*read.error().byte_offset <= line.size());
      require(read.error().message.find('\n') == std::string::npos);
    } else if (read.value() == StreamLine::kTransaction) {
      check_ranges(txn.txn);
    }
    const std::string first = shape(read, txn);
    require(shape(reader.read(line, txn), txn) == first);
  }
}

}  // namespace
}  // namespace elapid

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(data, data + size);
  elapid::run(bytes);
  return 0;
}
