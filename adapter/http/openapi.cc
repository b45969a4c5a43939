// The OpenAPI document (https://spec.openapis.org/oas/v3.1.0) of a table of routes.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "adapter/elle/document_writer.h"
#include "adapter/http/routes.h"

namespace elapid::http {
namespace {

/// The names in the braces of a path, as `id` and `path`.
std::vector<std::string> path_parameters(std::string_view path) {
  std::vector<std::string> names;
  for (std::size_t open = path.find('{'); open != std::string_view::npos;
       open = path.find('{', open + 1)) {
    const std::size_t end = std::min(path.find('}', open), path.find("...", open));
    names.emplace_back(path.substr(open + 1, end - open - 1));
  }
  return names;
}

/// OpenAPI has no parameter with slashes, so `{path...}` becomes `{path}`.
std::string document_path(std::string path) {
  if (const std::size_t dots = path.find("...}"); dots != std::string::npos) {
    path.erase(dots, 3);
  }
  return path;
}

void write_content(DocumentWriter& out, const std::vector<Content>& contents) {
  out.key("content").open(Container::kMap);
  for (const Content& content : contents) {
    out.string(content.type);
    out.open(Container::kMap);
    out.key("schema").open(Container::kMap);
    if (content.schema.empty()) {
      out.key("type").string(content.type.ends_with("json") ? "object" : "string");
    } else {
      out.key("$ref").string("#/components/schemas/" + content.schema);
    }
    out.close();
    out.close();
  }
  out.close();
}

void write_parameter(DocumentWriter& out, const Parameter& parameter, std::string_view in) {
  out.open(Container::kMap);
  out.key("name").string(parameter.name);
  out.key("in").string(in);
  out.key("required").boolean(in == "path");
  if (!parameter.help.empty()) {
    out.key("description").string(parameter.help);
  }
  out.key("schema").open(Container::kMap);
  out.key("type").string(parameter.type);
  if (!parameter.choices.empty()) {
    out.key("enum").strings(parameter.choices);
  }
  out.close();
  if (parameter.example) {
    out.key("example").string(*parameter.example);
  }
  out.close();
}

void write_answers(DocumentWriter& out, const Route& route) {
  out.key("responses").open(Container::kMap, 1);
  for (const Answer& answer : route.answers) {
    out.string(std::to_string(answer.status));
    out.open(Container::kMap);
    out.key("description").string(answer.help);
    if (!answer.contents.empty()) {
      write_content(out, answer.contents);
    }
    out.close();
  }
  // Each request may be malformed, of a foreign page, or one of too many.
  std::set<int> problems = {400, 403, 414, 429, 500};
  if (route.needs_token) {
    problems.insert(401);
  }
  problems.insert(route.problems.begin(), route.problems.end());
  for (const int status : problems) {
    out.string(std::to_string(status));
    out.open(Container::kMap);
    out.key("description").string(phrase(status));
    write_content(out, {{.type = std::string(kProblemType), .schema = "Problem"}});
    out.close();
  }
  out.close();
}

void write_operation(DocumentWriter& out, const Route& route) {
  out.open(Container::kMap, 1);
  out.key("summary").string(route.summary);
  out.key("parameters").open(Container::kVector, 1);
  for (const std::string& name : path_parameters(route.path)) {
    write_parameter(out, {.name = name}, "path");
  }
  for (const Parameter& parameter : route.query) {
    write_parameter(out, parameter, "query");
  }
  out.close();
  if (!route.body.empty()) {
    out.key("requestBody").open(Container::kMap);
    out.key("required").boolean(true);
    write_content(out, route.body);
    out.close();
  }
  write_answers(out, route);
  if (route.needs_token) {
    out.key("security").open(Container::kVector);
    out.open(Container::kMap);  // without a token, the service accepts all requests
    out.close();
    out.open(Container::kMap);
    out.key("token").open(Container::kVector);
    out.close();
    out.close();
    out.close();
  }
  out.close();
}

}  // namespace

std::string RouteTable::openapi(std::string_view version) const {
  std::map<std::string, std::vector<const Route*>> paths;
  for (const Route& route : routes_) {
    paths[document_path(route.path)].push_back(&route);
  }
  DocumentWriter out(Syntax::kJson);
  out.open(Container::kMap, 1);
  out.key("openapi").string("3.1.0");
  out.key("info").open(Container::kMap);
  out.key("title").string("elapid serve");
  out.key("version").string(version);
  out.close();
  out.key("paths").open(Container::kMap, 1);
  for (const auto& [path, routes] : paths) {
    out.string(path);
    out.open(Container::kMap, 1);
    for (const Route* route : routes) {
      std::string method = route->method;
      std::ranges::transform(method, method.begin(),
                             [](char c) { return static_cast<char>(c | 0x20); });
      out.string(method);
      write_operation(out, *route);
    }
    out.close();
  }
  out.close();
  out.key("components").open(Container::kMap, 1);
  out.key("securitySchemes").open(Container::kMap);
  out.key("token").open(Container::kMap);
  out.key("type").string("http");
  out.key("scheme").string("bearer");
  out.close();
  out.close();
  out.close();
  out.close();
  std::string document = std::move(out).take();
  std::string schemas = ", \"schemas\": {";
  for (const auto& [name, json] : schemas_) {
    schemas += (schemas.back() == '{' ? "\n\"" : ",\n\"") + name + "\": " + json;
  }
  document.insert(document.size() - 2, schemas + "}");
  return document + "\n";
}

}  // namespace elapid::http
