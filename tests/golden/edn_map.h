// Just enough EDN to read the golden cases: maps whose values are kept as text.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

namespace elapid {

/// The forms of a map in canonical text, by the canonical text of their keys. Throws
/// std::runtime_error if the text is not a map, or has a key twice.
[[nodiscard]] std::map<std::string, std::string> read_edn_map(const std::string& text);

/// The canonical texts of the elements of a vector, list or set; of nil none.
[[nodiscard]] std::vector<std::string> read_edn_elements(const std::string& text);

}  // namespace elapid
