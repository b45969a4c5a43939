// How answers are written: -o.
#ifndef ELAPID_ADAPTER_CLI_OUTPUT_FORMAT_H_
#define ELAPID_ADAPTER_CLI_OUTPUT_FORMAT_H_

#include <cstdint>
#include <string_view>

#include "adapter/elle/document_writer.h"

namespace elapid {

enum class OutputFormat : std::uint8_t { kText, kEdn, kJson };

/// `text`, `edn` or `json`; anything else counts as text.
[[nodiscard]] inline OutputFormat output_format(std::string_view name) {
  return name == "edn"    ? OutputFormat::kEdn
         : name == "json" ? OutputFormat::kJson
                          : OutputFormat::kText;
}

/// The syntax of a format other than kText.
[[nodiscard]] inline Syntax syntax_of(OutputFormat format) {
  return format == OutputFormat::kJson ? Syntax::kJson : Syntax::kEdn;
}

}  // namespace elapid

#endif  // ELAPID_ADAPTER_CLI_OUTPUT_FORMAT_H_
