// The answer of the service to a request that it cannot fulfil: a problem document (RFC 9457).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/ir/result.h"

namespace httplib {
struct Response;
}

namespace elapid::http {

inline constexpr std::string_view kProblemType = "application/problem+json";

/// `detail` is one sentence for people. It names nothing of the machine that clients need not
/// know.
struct Problem {
  int status = 500;         ///< of HTTP, 4xx or 5xx
  std::string detail = {};  ///< what was expected, and what was found
};

/// HTTP's phrase for a status: `Not Found`.
[[nodiscard]] std::string_view phrase(int status);

/// The document: `type`, `title`, `status`, `detail`.
[[nodiscard]] std::string document(const Problem& problem);

/// Answers with the problem.
void answer(httplib::Response& response, const Problem& problem);

/// What is wrong with the name that a client gives a check or a stream: more than 200 bytes.
[[nodiscard]] std::optional<Problem> name_wrong(std::string_view name);

/// The problem of an error: 400 for kUsage and kMalformed, 507 for a full disk, else 500.
[[nodiscard]] Problem problem_of(const Error& error);

}  // namespace elapid::http
