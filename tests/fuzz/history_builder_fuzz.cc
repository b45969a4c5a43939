// The history builder, through the text form of a history: whatever events come in whatever order,
// the answer is an error or a history whose text form is stable.
#include <cstdlib>
#include <string>
#include <string_view>

#include "tests/fuzz/harness.h"
#include "tests/support/dump.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string input(data, data + size);
  const auto history = elapid::parse_dump(input);
  if (!history) {
    return 0;
  }
  const std::string text = elapid::dump(history.value());
  const auto again = elapid::parse_dump(text);
  if (!again || elapid::dump(again.value()) != text) {
    std::abort();
  }
  return 0;
}
