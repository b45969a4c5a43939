// A :value that is not made of micro-operations, as one value.
#ifndef ELAPID_PARSERS_JEPSEN_WHOLE_VALUE_H_
#define ELAPID_PARSERS_JEPSEN_WHOLE_VALUE_H_

#include <optional>
#include <string>

#include "engine/ir/result.h"

namespace elapid {

struct WholeValue {
  bool is_collection = false;         ///< a vector, list, map or set
  std::string text = {};              ///< canonical; empty if nobody wants it
  std::optional<Error> problem = {};  ///< why there is no text although it is wanted

  /// Makes it as new, keeping the text's memory.
  void clear() {
    is_collection = false;
    text.clear();
    problem.reset();
  }

  /// Starts the text of a vector or list.
  void open() { text = '['; }

  /// Before an element is appended to the text.
  void separate() {
    if (text.back() != '[') {
      text += ' ';
    }
  }
};

}  // namespace elapid

#endif  // ELAPID_PARSERS_JEPSEN_WHOLE_VALUE_H_
