#include "parsers/convert/plain_tree.h"

#include "engine/ir/json_string.h"
#include "parsers/convert/fast_text.h"

namespace elapid {

namespace {

using Kind = PlainTree::Kind;

/// Appends the parts with `between` between them; within a map's entry, with `within`.
template <class Append>
void append_parts(const PlainTree& tree, std::string_view between, std::string_view within,
                  Append append) {
  const bool is_map = tree.kind == Kind::kMap;
  std::string_view separator;
  for (std::size_t i = 0; const PlainTree& part : tree.parts) {
    const bool is_key = is_map && i++ % 2 == 0;
    append(separator, part, is_key);
    separator = is_key ? within : between;
  }
}

void append_json_key(const PlainTree& key, FastText& out) {
  const bool is_quoted = key.kind == Kind::kKeyword || key.kind == Kind::kText;
  out << (is_quoted ? "" : "\"");
  append_json(key, out);
  out << (is_quoted ? "" : "\"");
}

}  // namespace

void append_edn(const PlainTree& tree, FastText& out) {
  switch (tree.kind) {
    case Kind::kNil:
      out << "nil";
      return;
    case Kind::kTrue:
      out << "true";
      return;
    case Kind::kNumber:
      out << tree.integer;
      return;
    case Kind::kKeyword:
      out << ':' << tree.word;
      return;
    case Kind::kText:
      out << json_quoted(tree.word);  // EDN has JSON's escapes
      return;
    case Kind::kVector:
    case Kind::kSet:
    case Kind::kMap:
      break;
  }
  const bool is_vector = tree.kind == Kind::kVector;
  out << (is_vector ? "[" : tree.kind == Kind::kSet ? "#{" : "{");
  append_parts(tree, tree.kind == Kind::kMap ? ", " : " ", " ",
               [&](std::string_view separator, const PlainTree& part, bool /*is_key*/) {
                 out << separator;
                 append_edn(part, out);
               });
  out << (is_vector ? ']' : '}');
}

void append_json(const PlainTree& tree, FastText& out) {
  switch (tree.kind) {
    case Kind::kNil:
      out << "null";
      return;
    case Kind::kTrue:
      out << "true";
      return;
    case Kind::kNumber:
      out << tree.integer;
      return;
    case Kind::kKeyword:
    case Kind::kText:
      out << json_quoted(tree.word);
      return;
    case Kind::kVector:
    case Kind::kSet:
    case Kind::kMap:
      break;
  }
  const bool is_map = tree.kind == Kind::kMap;
  out << (is_map ? '{' : '[');
  append_parts(tree, ", ", ": ",
               [&](std::string_view separator, const PlainTree& part, bool is_key) {
                 out << separator;
                 is_key ? append_json_key(part, out) : append_json(part, out);
               });
  out << (is_map ? '}' : ']');
}

}  // namespace elapid
