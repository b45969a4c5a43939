#include "adapter/http/routes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <httplib.h>

#include <algorithm>

#include "engine/ir/integer_text.h"
#include "engine/ir/mapped.h"
#include "engine/ir/similar_names.h"
#include "engine/ir/visible.h"

namespace elapid::http {
namespace {

/// Takes the next component from a path that begins with a slash.
std::string_view take_component(std::string_view& path) {
  path.remove_prefix(1);
  const std::size_t end = std::min(path.find('/'), path.size());
  const std::string_view component = path.substr(0, end);
  path.remove_prefix(end);
  return component;
}

/// The values of the `{...}` in a template; nothing if the path does not match.
std::optional<std::vector<std::string>> match(std::string_view pattern, std::string_view path) {
  std::vector<std::string> parts;
  while (pattern.starts_with('/') && path.starts_with('/')) {
    if (pattern.starts_with("/{") && pattern.ends_with("...}") &&
        pattern.find('/', 1) == std::string_view::npos) {
      parts.emplace_back(path.substr(1));
      return parts;
    }
    const std::string_view wanted = take_component(pattern);
    const std::string_view there = take_component(path);
    if (wanted.starts_with('{') && !there.empty()) {
      parts.emplace_back(there);
    } else if (wanted != there) {
      return std::nullopt;
    }
  }
  return pattern.empty() && path.empty() ? std::optional(std::move(parts)) : std::nullopt;
}

bool has_type(const std::string& value, const std::string& type) {
  if (type == "boolean") {
    return value == "true" || value == "false" || value.empty();
  }
  return type != "integer" || integer_of(value).has_value();
}

std::string visible_short(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  return visible_line(text.substr(0, kLongest)) + (text.size() > kLongest ? "..." : "");
}

Problem unknown_parameter(const Route& route, const std::string& name) {
  auto known = mapped<std::string_view>(route.query, &Parameter::name);
  const std::vector<std::string> similar = similar_names(name, known, 1);
  return {400, fmt::format("There is no parameter {}{}", visible_short(name),
                           similar.empty() ? "." : "; did you mean " + similar.front() + "?")};
}

}  // namespace

std::optional<std::string> Call::query(const std::string& name) const {
  return request.has_param(name) ? std::optional(request.get_param_value(name)) : std::nullopt;
}

void discard_body(const Call& call, std::size_t most) {
  std::size_t seen = 0;
  call.body([&](const char* /*bytes*/, std::size_t size) { return (seen += size) <= most; });
}

std::variant<RouteTable::Found, Problem> RouteTable::find(std::string_view method,
                                                          std::string_view path) const {
  const std::string_view wanted = method == "HEAD" ? "GET" : method;
  bool is_there = false;
  for (const Route& route : routes_) {
    if (auto parts = match(route.path, path)) {
      if (route.method == wanted) {
        return Found{&route, std::move(*parts)};
      }
      is_there = true;
    }
  }
  if (is_there) {
    return Problem{405, fmt::format("This address takes {}.", methods_of(path))};
  }
  return Problem{404, "There is nothing at this address; /v1/openapi.json says what there is."};
}

std::string RouteTable::methods_of(std::string_view path) const {
  std::vector<std::string_view> methods;
  for (const Route& route : routes_) {
    if (match(route.path, path)) {
      methods.push_back(route.method);
      if (route.method == "GET") {
        methods.emplace_back("HEAD");
      }
    }
  }
  return fmt::format("{}", fmt::join(methods, ", "));
}

std::optional<Problem> check_query(const Route& route, const httplib::Request& request) {
  for (const auto& [name, value] : request.params) {
    const auto parameter = std::ranges::find(route.query, name, &Parameter::name);
    if (parameter == route.query.end()) {
      return unknown_parameter(route, name);
    }
    if (request.params.count(name) > 1) {
      return Problem{400, fmt::format("The parameter {} is there more than once.", name)};
    }
    if (!has_type(value, parameter->type)) {
      return Problem{400, fmt::format("The parameter {} must be {}, not {}.", name,
                                      parameter->type == "integer" ? "an integer" : "true or false",
                                      visible_short(value))};
    }
    if (!parameter->choices.empty() && std::ranges::count(parameter->choices, value) == 0) {
      return Problem{400, fmt::format("The parameter {} must be one of {}, not {}.", name,
                                      fmt::join(parameter->choices, ", "), visible_short(value))};
    }
  }
  return std::nullopt;
}

}  // namespace elapid::http
