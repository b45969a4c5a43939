#include "harness/generate/distribution.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <vector>

namespace elapid {
namespace {

/// How often each was drawn, of a million draws.
std::vector<std::size_t> drawn(const Law& law, std::size_t count) {
  const Distribution distribution(law, count);
  Random random(7);
  std::vector<std::size_t> times(count);
  for (int i = 0; i < 1'000'000; ++i) {
    ++times.at(distribution.draw(random));
  }
  return times;
}

TEST_CASE("powers: whole numbers come near the real ones") {
  for (const std::uint64_t n : {1U, 2U, 3U, 7U, 100U, 4'999U, 1'000'000U}) {
    for (const std::uint32_t exponent : {0U, 500U, 990U, 1'000U, 1'500U}) {
      const double real = std::pow(static_cast<double>(n), exponent / -1000.0) * std::pow(2.0, 32);
      CHECK(static_cast<double>(inverse_power(n, exponent)) ==
            Approx(real).epsilon(2e-5).margin(2));
    }
  }
}

TEST_CASE("powers: what is drawn does not depend on the machine") {
  CHECK(inverse_power(1, 990) == std::uint64_t{1} << 32);
  CHECK(inverse_power(2, 1'000) == std::uint64_t{1} << 31);
  CHECK(inverse_power(4, 500) == std::uint64_t{1} << 31);
  CHECK(inverse_power(3, 990) == 1447470807);
  CHECK(inverse_power(10'000'000, 10'000) == 1);
}

TEST_CASE("distribution: uniform") {
  for (const std::size_t times : drawn({}, 10)) {
    CHECK(times == Approx(100'000).epsilon(0.02));
  }
}

TEST_CASE("distribution: a Zipf law") {
  const std::vector<std::size_t> times =
      drawn({.kind = Law::Kind::kZipf, .exponent_thousandths = 1'000}, 100);
  CHECK(times[0] / times[9] == Approx(10).epsilon(0.1));
  CHECK(times[1] / times[99] == Approx(50).epsilon(0.15));
}

TEST_CASE("distribution: a hotspot") {
  const std::vector<std::size_t> times =
      drawn({.kind = Law::Kind::kHotspot, .hot_percent = 10, .share_percent = 80}, 20);
  CHECK(static_cast<double>(times[0] + times[1]) == Approx(800'000).epsilon(0.01));
  CHECK(times[2] == Approx(200'000 / 18.0).epsilon(0.05));
}

TEST_CASE("distribution: exponential") {
  const std::vector<std::size_t> times = drawn({.kind = Law::Kind::kExponential}, 5);
  CHECK(static_cast<double>(times[0]) == Approx(static_cast<double>(times[1]) * 2).epsilon(0.1));
  CHECK(times[3] > 0);
}

TEST_CASE("distribution: of one thing there is one") {
  for (const Law::Kind kind :
       {Law::Kind::kUniform, Law::Kind::kZipf, Law::Kind::kHotspot, Law::Kind::kExponential}) {
    CHECK(drawn({.kind = kind}, 1) == std::vector<std::size_t>{1'000'000});
  }
}

}  // namespace
}  // namespace elapid
