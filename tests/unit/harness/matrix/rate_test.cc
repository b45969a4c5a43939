#include "harness/matrix/matrix.h"

#include <catch2/catch.hpp>

namespace elapid {
namespace {

TEST_CASE("rate: what never happened may still happen three or four times") {
  const Rate rate = rate_of(0, 10'000);
  CHECK(rate.per_thousand == 0);
  CHECK(rate.least == 0);
  CHECK(rate.most == Approx(0.36889).epsilon(1e-4));  // -ln(0.025) in ten thousand
}

TEST_CASE("rate: the limits are those of the published table") {
  // Garwood (1936), 95 %: 1 event 0.0253 to 5.572, 10 events 4.795 to 18.39.
  const Rate one = rate_of(1, 1'000);
  CHECK(one.least == Approx(0.0253).epsilon(1e-3));
  CHECK(one.most == Approx(5.572).epsilon(1e-3));
  const Rate ten = rate_of(10, 1'000);
  CHECK(ten.per_thousand == Approx(10));
  CHECK(ten.least == Approx(4.795).epsilon(1e-3));
  CHECK(ten.most == Approx(18.39).epsilon(1e-3));
}

TEST_CASE("rate: many events are known well, and nothing is known without trials") {
  const Rate many = rate_of(1'000'000, 10'000'000);
  CHECK(many.least == Approx(100).epsilon(0.003));
  CHECK(many.most == Approx(100).epsilon(0.003));
  CHECK(rate_of(0, 0).most == 0);
}

}  // namespace
}  // namespace elapid
