// The forms of answers: -o.
#pragma once

#include <cstdint>
#include <string_view>

#include "adapter/elle/document_writer.h"

namespace elapid {

/// A table (kCsv) is for many histories only.
enum class OutputFormat : std::uint8_t {
  kText,
  kEdn,
  kJson,
  kJsonl,
  kCsv,
  kJunit,
  kSarif,
  kGithub
};

/// The format of `text`, `edn`, `json`, `jsonl`, `csv`, `junit`, `sarif` or `github`; other names
/// mean text.
[[nodiscard]] inline OutputFormat output_format(std::string_view name) {
  return name == "edn"      ? OutputFormat::kEdn
         : name == "json"   ? OutputFormat::kJson
         : name == "jsonl"  ? OutputFormat::kJsonl
         : name == "csv"    ? OutputFormat::kCsv
         : name == "junit"  ? OutputFormat::kJunit
         : name == "sarif"  ? OutputFormat::kSarif
         : name == "github" ? OutputFormat::kGithub
                            : OutputFormat::kText;
}

/// Whether the format has a map for each verdict.
[[nodiscard]] constexpr bool is_map(OutputFormat format) {
  return format == OutputFormat::kEdn || format == OutputFormat::kJson ||
         format == OutputFormat::kJsonl;
}

/// Whether the format is for CI systems, and made of all verdicts together.
[[nodiscard]] constexpr bool is_for_ci(OutputFormat format) {
  return format == OutputFormat::kSarif || format == OutputFormat::kGithub;
}

/// The syntax of a format with maps.
[[nodiscard]] inline Syntax syntax_of(OutputFormat format) {
  return format == OutputFormat::kEdn ? Syntax::kEdn : Syntax::kJson;
}

}  // namespace elapid
