#include "adapter/http/problem.h"

#include <fmt/format.h>
#include <httplib.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "adapter/elle/document_writer.h"

namespace elapid::http {

std::string_view phrase(int status) {
  static constexpr std::pair<int, std::string_view> kPhrases[] = {
      {400, "Bad Request"},
      {401, "Unauthorized"},
      {403, "Forbidden"},
      {404, "Not Found"},
      {405, "Method Not Allowed"},
      {406, "Not Acceptable"},
      {408, "Request Timeout"},
      {409, "Conflict"},
      {411, "Length Required"},
      {413, "Content Too Large"},
      {414, "URI Too Long"},
      {415, "Unsupported Media Type"},
      {429, "Too Many Requests"},
      {431, "Request Header Fields Too Large"},
      {500, "Internal Server Error"},
      {503, "Service Unavailable"},
      {507, "Insufficient Storage"}};
  for (const auto& [code, words] : kPhrases) {
    if (code == status) {
      return words;
    }
  }
  return status < 500 ? "Bad Request" : "Internal Server Error";
}

std::string document(const Problem& problem) {
  DocumentWriter out(Syntax::kJson);
  out.open(Container::kMap);
  out.key("type").string("about:blank");
  out.key("title").string(phrase(problem.status));
  out.key("status").integer(problem.status);
  out.key("detail").string(problem.detail);
  out.close();
  return std::move(out).take() + "\n";
}

void answer(httplib::Response& response, const Problem& problem) {
  response.status = problem.status;
  response.set_content(document(problem), std::string(kProblemType));
}

std::optional<Problem> name_wrong(std::string_view name) {
  constexpr std::size_t kLongestName = 200;
  if (name.size() > kLongestName) {
    return Problem{400, fmt::format("A name has at most {} bytes.", kLongestName)};
  }
  return std::nullopt;
}

Problem problem_of(const Error& error) {
  const bool is_full = error.message.find(std::strerror(ENOSPC)) != std::string::npos ||
                       error.message.find(std::strerror(EDQUOT)) != std::string::npos ||
                       error.message.find("database or disk is full") != std::string::npos;
  if (is_full) {
    return {507, "The disk of the service is full: nothing was accepted."};
  }
  const bool is_asked_wrongly =
      error.kind == ErrorKind::kUsage || error.kind == ErrorKind::kMalformed;
  return {is_asked_wrongly ? 400 : 500, error.message};
}

}  // namespace elapid::http
