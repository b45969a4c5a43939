// Fressian bytes as EDN text, for tests.
#pragma once

#include <string>
#include <utility>

#include "parsers/bytes/byte_source.h"
#include "parsers/bytes/window.h"
#include "parsers/edn/value_text.h"
#include "parsers/fressian/decoder.h"

namespace elapid::fressian {

/// All objects, one space between them, or the error.
inline std::string decoded(std::string bytes) {
  const auto source = memory_source("f", std::move(bytes));
  Window window(*source);
  Decoder decoder(window);
  std::string all;
  while (decoder.has_more()) {
    std::string text;
    if (const Status status = decoder.append_value(text); !status.ok()) {
      return "byte " + std::to_string(status.error().byte_offset.value_or(999)) + ": " +
             status.error().message;
    }
    all += (all.empty() ? "" : " ") + text;
  }
  return all;
}

/// The canonical text of one EDN form, or the error.
inline std::string canonical(std::string text) {
  const auto source = memory_source("e", std::move(text));
  edn::Scanner scanner(*source);
  scanner.next();
  std::string out;
  const Status status = append_form(scanner, edn::TextStyle::kCanonical, out);
  return status.ok() ? out : status.error().message;
}

}  // namespace elapid::fressian
