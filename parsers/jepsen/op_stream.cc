#include "parsers/jepsen/op_stream.h"

#include <string>
#include <utility>

namespace elapid {

using edn::TokenKind;

bool OpStream::next(OpMap& op) {
  if (has_begun_ && reader_.read_plain(op)) {
    ++count_;
    return true;
  }
  TokenKind kind = scanner_.next();
  if (!has_begun_) {
    has_begun_ = true;
    is_enclosed_ = is_sequential(kind);
    kind = is_enclosed_ ? scanner_.next() : kind;
  }
  if (kind == TokenKind::kEnd || is_close(kind)) {
    return end();
  }
  const std::uint64_t offset = scanner_.token().offset;
  if (kind == TokenKind::kTag) {
    kind = scanner_.next();
  }
  if (kind == TokenKind::kError) {
    return false;
  }
  if (kind != TokenKind::kOpenMap) {
    scanner_.fail(offset, "form " + std::to_string(count_ + 1) + " is " +
                              describe(scanner_.token()) + ", not an op map");
    return false;
  }
  ++count_;
  scanner_.begin_form();
  const bool is_read = reader_.read(op);
  scanner_.end_form();
  op.offset = offset;
  return is_read;
}

/// Requires that nothing follows the bracket that encloses the operations. Always false.
bool OpStream::end() {
  const bool is_enclosed = std::exchange(is_enclosed_, false);
  if (is_enclosed && scanner_.next() != TokenKind::kEnd &&
      scanner_.token().kind != TokenKind::kError) {
    scanner_.fail(scanner_.token().offset,
                  "expected the end of the input behind the vector of operations, found " +
                      describe(scanner_.token()));
  }
  return false;
}

Status OpStream::status() const {
  return scanner_.token().kind == TokenKind::kError ? Status(scanner_.error()) : Status();
}

}  // namespace elapid
