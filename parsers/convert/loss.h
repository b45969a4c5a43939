// What a conversion loses or makes up.
#ifndef ELAPID_PARSERS_CONVERT_LOSS_H_
#define ELAPID_PARSERS_CONVERT_LOSS_H_

#include <cstdint>
#include <string>

namespace elapid {

/// One letter of docs/conversion.md: upper case is lost, lower case made up.
struct Loss {
  char letter = 'E';
  std::uint64_t count = 0;
  std::string what = {};  ///< what is counted, with its fate: `aborted transactions left out`
  bool changes_verdict = false;  ///< may, and therefore has to be asked for

  [[nodiscard]] bool is_made_up() const { return letter >= 'a' && letter <= 'z'; }
};

}  // namespace elapid

#endif  // ELAPID_PARSERS_CONVERT_LOSS_H_
