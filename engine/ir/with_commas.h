// Numbers as people read them.
#ifndef ELAPID_ENGINE_IR_WITH_COMMAS_H_
#define ELAPID_ENGINE_IR_WITH_COMMAS_H_

#include <cstdint>
#include <string>

namespace elapid {

/// A number with commas between thousands: `1,234,567`.
[[nodiscard]] std::string with_commas(std::uint64_t number);

}  // namespace elapid

#endif  // ELAPID_ENGINE_IR_WITH_COMMAS_H_
