// JSON text of values printed as EDN.
#ifndef ELAPID_ADAPTER_ELLE_JSON_TEXT_H_
#define ELAPID_ADAPTER_ELLE_JSON_TEXT_H_

#include <string>
#include <string_view>

namespace elapid {

/// Appends the JSON counterpart of one printed EDN form: keywords become strings without their
/// colon; vectors, lists and sets arrays; numbers stay numbers where JSON can write them; symbols,
/// characters, ratios and tagged values become strings of their EDN text. Linear; no recursion.
void append_json(std::string_view edn, std::string& out);

/// The same for a key of an object: always a string.
void append_json_key(std::string_view edn, std::string& out);

}  // namespace elapid

#endif  // ELAPID_ADAPTER_ELLE_JSON_TEXT_H_
