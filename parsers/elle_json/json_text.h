// EDN values as the JSON that elle-cli reads.
#ifndef ELAPID_PARSERS_ELLE_JSON_JSON_TEXT_H_
#define ELAPID_PARSERS_ELLE_JSON_JSON_TEXT_H_

#include <string>
#include <string_view>

namespace elapid {

/// Appends the JSON counterpart of one printed EDN form: keywords become strings without their
/// colon, sets arrays, keys of maps strings; numbers stay where JSON can write them; characters,
/// symbols, ratios and tagged forms become strings of their text.
void append_json_of_edn(std::string_view edn, std::string& out);

}  // namespace elapid

#endif  // ELAPID_PARSERS_ELLE_JSON_JSON_TEXT_H_
