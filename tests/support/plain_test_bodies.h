// Included before every source of a test program: the bodies of test cases are compiled without
// sanitizers. What they call is instrumented, inline functions of headers included; instrumenting
// the expansions of CHECK as well takes a third of the time that compiling the tests takes.
#pragma once

#include <catch2/catch.hpp>

#undef TEST_CASE
#define TEST_CASE(...) \
  [[gnu::no_sanitize("address", "undefined")]] INTERNAL_CATCH_TESTCASE(__VA_ARGS__)
