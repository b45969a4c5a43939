// What extract.awk makes of the examples in headers.
#include <catch2/catch.hpp>

#include "harness/sketch/tiny_history.h"

#include "header_examples.inc"
