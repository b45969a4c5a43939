#include <fmt/format.h>

#include <string_view>
