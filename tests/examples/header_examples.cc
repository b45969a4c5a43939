// What extract.awk makes of the examples in headers.
#include <catch2/catch.hpp>

#include "header_examples.inc"
