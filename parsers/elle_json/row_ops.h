// Operations on rows in the recorder format (docs/recorder-format.md), translated into the notation
// of engine/rows/parse.h:
//
//   ["insert", 7, {"age": 15}]                               [:insert 7 {:age 15}]
//   ["rp", ["in", "age", 13, 19], {"rows": [[7, {"age": 15}]]}]
//                                                            [:rp [:in :age 13 19] {7 {:age 15}}]
//   ["rp", true, {"keys": [7], "first": 1}]                  [:rp :true #{7} {:first 1}]
//   ["up", ["=", "age", 5], {"age": 6}, {"count": 2}]        [:up [:= :age 5] {:age 6} 2]
//   ["rv", 7, 3]                                             [:r 7 #v 3]
#pragma once

#include <string>
#include <string_view>

#include "engine/ir/result.h"
#include "parsers/json/document.h"

namespace elapid {

/// Appends one operation as text. Error kMalformed with the offset of the unexpected part.
Status append_row_op(json::Value operation, std::string& out);

/// Appends the name of a column: a keyword if it is a plain word, an integer if it is one, else a
/// string.
void append_column_name(std::string_view name, std::string& out);

}  // namespace elapid
