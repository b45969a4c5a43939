#include "adapter/cli/options/transaction_order.h"

#include <algorithm>
#include <memory>

#include "parsers/bytes/byte_source.h"
#include "parsers/edn/scanner.h"

namespace elapid {
namespace {

using edn::TokenKind;

/// Reads one map of integers and the end of the input. scanner.error() holds the error.
bool read_map(edn::Scanner& scanner, TransactionOrder& order) {
  const auto expect = [&](TokenKind kind, std::string_view what) {
    if (scanner.token().kind == TokenKind::kError) {
      return false;
    }
    if (scanner.token().kind != kind) {
      scanner.fail(scanner.token().offset,
                   "expected " + std::string(what) + ", found " + edn::describe(scanner.token()));
      return false;
    }
    return true;
  };
  scanner.next();
  if (!expect(TokenKind::kOpenMap, "a map from completion index to number")) {
    return false;
  }
  while (scanner.next() != TokenKind::kCloseBrace) {
    if (!expect(TokenKind::kInteger, "a completion index")) {
      return false;
    }
    const std::int64_t index = scanner.token().integer;
    scanner.next();
    if (!expect(TokenKind::kInteger, "the number of a completion")) {
      return false;
    }
    order.emplace_back(index, scanner.token().integer);
  }
  scanner.next();
  return expect(TokenKind::kEnd, "nothing behind the map");
}

Result<TransactionOrder> read_from(ByteSource& source) {
  edn::Scanner scanner(source);
  TransactionOrder order;
  if (!read_map(scanner, order)) {
    Error error = scanner.error();
    error.file = source.name();
    if (error.byte_offset) {
      const LineColumn place = source.line_column(*error.byte_offset);
      error.line = place.line;
      error.column = place.column;
    }
    return error;
  }
  std::sort(order.begin(), order.end());
  const auto twice = std::adjacent_find(
      order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first == b.first; });
  if (twice != order.end()) {
    return Error{.message = "completion index " + std::to_string(twice->first) + " stands twice",
                 .file = source.name()};
  }
  return order;
}

bool is_map(const std::string& argument) {
  const std::size_t first = argument.find_first_not_of(" \t\n,");
  return first != std::string::npos && argument[first] == '{';
}

}  // namespace

Result<TransactionOrder> read_transaction_order(const std::string& argument) {
  if (is_map(argument)) {
    const std::unique_ptr<ByteSource> source = memory_source("--transaction-order", argument);
    Result<TransactionOrder> order = read_from(*source);
    if (!order) {
      order.error().kind = ErrorKind::kUsage;
    }
    return order;
  }
  ELAPID_ASSIGN_OR_RETURN(const std::unique_ptr<ByteSource> source, open_source(argument));
  return read_from(*source);
}

}  // namespace elapid
