// Options of `elapid watch` as query parameters, under the same names.
#pragma once

#include <string>
#include <vector>

#include "adapter/http/routes.h"

namespace elapid::http {

/// Those that a stream of the service may have. Values are looked at by watch itself.
[[nodiscard]] const std::vector<Parameter>& stream_parameters();

/// The words of the command line for what was given, by stream_parameters().
[[nodiscard]] std::vector<std::string> stream_options(const Call& call);

}  // namespace elapid::http
