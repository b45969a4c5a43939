#include "parsers/jepsen/initial_value.h"

#include <string>

#include "parsers/bytes/byte_source.h"
#include "parsers/edn/scanner.h"
#include "parsers/edn/value_text.h"

namespace elapid {

Result<ValueId> initial_value(const ReadOptions& options, ValueId own, ValuePool& values) {
  if (!options.initial) {
    return own;
  }
  const auto source = memory_source("initial value", *options.initial);
  edn::Scanner scanner(*source);
  std::string text;
  const bool is_empty = scanner.next() == edn::TokenKind::kEnd;
  const bool is_form = !is_empty && append_form(scanner, edn::TextStyle::kCanonical, text).ok();
  if (!is_form || scanner.next() != edn::TokenKind::kEnd) {
    return usage_error("expected one EDN value as the initial value, found " +
                       edn::in_quotes(*options.initial));
  }
  return values.intern(text);
}

}  // namespace elapid
