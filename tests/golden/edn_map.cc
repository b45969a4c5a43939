#include "tests/golden/edn_map.h"

#include <memory>
#include <stdexcept>

#include "parsers/bytes/byte_source.h"
#include "parsers/edn/scanner.h"
#include "parsers/edn/value_text.h"

namespace elapid {

namespace {

/// The canonical text of the form that the current token begins.
std::string form(edn::Scanner& scanner) {
  std::string text;
  if (const Status status = edn::append_form(scanner, edn::TextStyle::kCanonical, text);
      !status.ok()) {
    throw std::runtime_error(status.error().to_string());
  }
  return text;
}

}  // namespace

std::map<std::string, std::string> read_edn_map(const std::string& text) {
  const std::unique_ptr<ByteSource> source = memory_source("map", text);
  edn::Scanner scanner(*source);
  if (scanner.next() != edn::TokenKind::kOpenMap) {
    throw std::runtime_error("expected a map, found " + describe(scanner.token()));
  }
  std::map<std::string, std::string> map;
  while (scanner.next() != edn::TokenKind::kCloseBrace) {
    const std::string key = form(scanner);
    scanner.next();
    if (!map.try_emplace(key, form(scanner)).second) {
      throw std::runtime_error("the key " + key + " is there twice");
    }
  }
  return map;
}

std::vector<std::string> read_edn_elements(const std::string& text) {
  const std::unique_ptr<ByteSource> source = memory_source("elements", text);
  edn::Scanner scanner(*source);
  std::vector<std::string> elements;
  if (!is_open(scanner.next())) {
    return elements;
  }
  while (!is_close(scanner.next())) {
    elements.push_back(form(scanner));
  }
  return elements;
}

}  // namespace elapid
