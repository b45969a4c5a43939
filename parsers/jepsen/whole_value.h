// A :value that is not made of micro-operations, as one value.
#ifndef ELAPID_PARSERS_JEPSEN_WHOLE_VALUE_H_
#define ELAPID_PARSERS_JEPSEN_WHOLE_VALUE_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "engine/ir/result.h"

namespace elapid {

struct WholeValue {
  bool is_collection = false;         ///< a vector, list, map or set
  std::string text = {};              ///< canonical; empty if nobody wants it
  std::size_t element_count = 0;      ///< of a vector or list
  std::size_t first_end = 0;          ///< end of the first element in `text`
  std::optional<Error> problem = {};  ///< why there is no text although it is wanted

  /// Makes it as new, keeping the text's memory.
  void clear() {
    is_collection = false;
    text.clear();
    element_count = 0;
    first_end = 0;
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

  /// Behind an element of the outermost level.
  void count_element() {
    if (++element_count == 1) {
      first_end = text.size();
    }
  }

  /// The elements of a vector or list of two.
  [[nodiscard]] std::optional<std::pair<std::string_view, std::string_view>> pair() const {
    if (element_count != 2) {
      return std::nullopt;
    }
    const std::string_view all = text;
    return std::pair(all.substr(1, first_end - 1),
                     all.substr(first_end + 1, all.size() - first_end - 2));
  }
};

}  // namespace elapid

#endif  // ELAPID_PARSERS_JEPSEN_WHOLE_VALUE_H_
