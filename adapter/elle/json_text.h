// JSON text of values printed as EDN.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace elapid {

/// Appends the JSON counterpart of one printed EDN form: keywords become strings without their
/// colon; vectors, lists and sets arrays; numbers stay numbers where JSON can write them; symbols,
/// characters, ratios and tagged values become strings of their EDN text. Linear; no recursion.
void append_json(std::string_view edn, std::string& out);

/// The keys of an object that is being written, as JSON: no two are the same.
class JsonKeys {
 public:
  /// Appends the key: always a string. Where different keys of EDN have one text, as `:a` and
  /// `"a"`, those after the first are written as EDN prints them, with apostrophes where that is
  /// taken too.
  void append(std::string_view edn, std::string& out);

 private:
  std::set<std::string> taken_ = {};
};

}  // namespace elapid
