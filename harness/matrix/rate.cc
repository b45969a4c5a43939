#include "harness/matrix/rate.h"

#include <boost/math/special_functions/gamma.hpp>

namespace elapid {

Rate rate_of(std::uint64_t events, std::uint64_t trials) {
  if (trials == 0) {
    return {};
  }
  constexpr double kTail = 0.025;  // on either side
  const auto count = static_cast<double>(events);
  const double thousands = static_cast<double>(trials) / 1000;
  return {
      .per_thousand = count / thousands,
      .least = events == 0 ? 0 : boost::math::gamma_p_inv(count, kTail) / thousands,
      .most = boost::math::gamma_p_inv(count + 1, 1 - kTail) / thousands,
  };
}

}  // namespace elapid
