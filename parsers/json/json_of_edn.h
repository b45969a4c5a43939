// JSON text of values that are printed as EDN.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace elapid {

/// Appends the JSON of one printed EDN form. Keywords become strings without colon; vectors, lists
/// and sets become arrays; numbers stay numbers if JSON can write them; symbols, characters, ratios
/// and tagged values become strings of their EDN text. Linear; no recursion.
void append_json_of_edn(std::string_view edn, std::string& out);

/// The keys of a JSON object that is being written; all differ.
class JsonKeys {
 public:
  /// Appends the key: always a string. If different keys of EDN have one text, as `:a` and
  /// `"a"`, the later ones are written as EDN prints them, with apostrophes if that text exists
  /// too.
  void append(std::string_view edn, std::string& out);

 private:
  std::set<std::string> taken_ = {};
};

}  // namespace elapid
