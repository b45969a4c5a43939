#include "parsers/elle_json/row_ops.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

#include "engine/rows/predicate.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/elle_json/edn_text.h"
#include "parsers/json/integer.h"

namespace elapid {

using json::Value;

namespace {

/// A part behind an operation's name.
enum class Part : std::uint8_t {
  kNone,
  kKey,        ///< a row's, any value
  kColumns,    ///< {"age": 15}, or the value of rows that are single values
  kFound,      ///< the same, or null
  kVersion,    ///< the name of one
  kPredicate,  ///< true, or an array such as ["in", "age", 13, 19]
  kResult,     ///< null, or an object such as {"rows": [[7, {"age": 15}]]}
};

struct Form {
  std::string_view name;
  std::string_view edn;
  std::array<Part, 3> parts;
  std::size_t least;        // required parts
  bool may_name_a_version;  // by {"version": 3} behind all parts
  std::string_view example;
};

constexpr std::array kRowForms = {
    Form{"insert",
         ":insert",
         {Part::kKey, Part::kColumns},
         2,
         true,
         R"(["insert", 7, {"age": 15}])"},
    Form{"update",
         ":update",
         {Part::kKey, Part::kColumns},
         2,
         true,
         R"(["update", 7, {"age": 15}])"},
    Form{"put", ":put", {Part::kKey, Part::kColumns}, 2, true, R"(["put", 7, {"age": 15}])"},
    Form{"w", ":w", {Part::kKey, Part::kColumns}, 2, true, R"(["w", 7, 15])"},
    Form{"write", ":w", {Part::kKey, Part::kColumns}, 2, true, R"(["write", 7, 15])"},
    Form{"delete", ":delete", {Part::kKey}, 1, true, R"(["delete", 7])"},
    Form{"r", ":r", {Part::kKey, Part::kFound}, 1, false, R"(["r", 7, {"age": 15}])"},
    Form{"read", ":r", {Part::kKey, Part::kFound}, 1, false, R"(["read", 7, {"age": 15}])"},
    Form{"rv", ":r", {Part::kKey, Part::kVersion}, 2, false, R"(["rv", 7, 3])"},
    Form{"rp",
         ":rp",
         {Part::kPredicate, Part::kResult},
         1,
         false,
         R"(["rp", ["=", "age", 15], {"keys": [7]}])"},
    Form{"up",
         ":up",
         {Part::kPredicate, Part::kColumns, Part::kResult},
         2,
         true,
         R"(["up", ["=", "age", 15], {"age": 16}, {"count": 1}])"},
    Form{"dp",
         ":dp",
         {Part::kPredicate, Part::kResult},
         1,
         true,
         R"(["dp", ["=", "age", 15], {"count": 1}])"},
};

/// The parts behind the name of a predicate.
struct PredicateForm {
  std::string_view name;
  std::size_t numbers;  // integers at its end
  bool has_column;      // in front, unless rows are single values
  bool has_value;       // at its end
  std::string_view example;
};

constexpr std::array kPredicates = {
    PredicateForm{"=", 0, true, true, R"(["=", "age", 15])"},
    PredicateForm{"in", 2, true, false, R"(["in", "age", 13, 19])"},
    PredicateForm{"mod", 2, true, false, R"(["mod", "age", 2, 1])"},
    PredicateForm{"key", 2, false, false, R"(["key", 1, 9])"},
    PredicateForm{"present", 0, true, false, R"(["present", "age"])"},
};

class RowOpText {
 public:
  explicit RowOpText(std::string& out) : out_(out) {}

  bool operation(Value operation) {
    const bool is_named = operation.is_array() && operation.begin() != operation.end() &&
                          operation.begin().is_string();
    const auto* const form =
        is_named ? std::ranges::find(kRowForms, operation.begin().text(), &Form::name)
                 : kRowForms.end();
    if (form == kRowForms.end()) {
      return fail(R"(an operation on rows such as ["insert", 7, {"age": 15}])",
                  is_named ? operation.begin() : operation);
    }
    const std::size_t parts = size_of(operation) - 1;
    const auto most =
        static_cast<std::size_t>(std::ranges::find(form->parts, Part::kNone) - form->parts.begin());
    if (parts < form->least || parts > most + (form->may_name_a_version ? 1 : 0)) {
      return fail("an operation such as " + std::string(form->example), operation);
    }
    out_ += '[';
    out_ += form->edn;
    Value next = operation.begin().next();
    for (std::size_t i = 0; i < std::min(parts, most); ++i, next = next.next()) {
      out_ += ' ';
      if (!part(form->parts.at(i), next, form->name == "rp")) {
        return false;
      }
    }
    if (parts > most && !version_name(next)) {
      return false;
    }
    out_ += ']';
    return true;
  }

  [[nodiscard]] const Status& status() const { return status_; }

 private:
  bool fail(std::string expected, Value found) {
    return put(malformed_at(found.offset(),
                            "expected " + std::move(expected) + ", found " + describe(found)));
  }

  /// Keeps an error; false if there is one.
  bool put(Status status) {
    if (!status.ok()) {
      status_ = std::move(status);
      return false;
    }
    return true;
  }

  bool any(Value value) { return put(append_edn(value, edn::TextStyle::kCanonical, out_)); }

  bool part(Part part, Value value, bool may_be_limited) {
    switch (part) {
      case Part::kVersion:
        out_ += "#v ";
        return any(value);
      case Part::kColumns:
      case Part::kFound:
        return columns(value);
      case Part::kPredicate:
        return predicate(value, 0);
      case Part::kResult:
        return result(value, may_be_limited);
      default:
        return any(value);
    }
  }

  bool version_name(Value options) {
    const auto version = options.is_object() ? find(options, "version") : std::nullopt;
    if (!version || size_of(options) != 2) {
      return fail(R"({"version": NAME} at the end of an operation)", options);
    }
    out_ += " #v ";
    return any(*version);
  }

  bool columns(Value value) {
    if (!value.is_object()) {
      return any(value);
    }
    char opening = '{';
    for (Value name = value.begin(); name != value.end(); name = name.next().next()) {
      out_ += opening;
      opening = ' ';
      append_column_name(name.text(), out_);
      out_ += ' ';
      if (!any(name.next())) {
        return false;
      }
    }
    out_ += opening == '{' ? "{}" : "}";
    return true;
  }

  bool predicate(Value value, std::size_t depth) {
    if (value.kind() == json::Kind::kTrue) {
      out_ += ":true";
      return true;
    }
    if (depth > rows::Predicate::kMaxDepth) {
      return fail("a predicate with fewer levels of nesting", value);
    }
    const bool is_named =
        value.is_array() && value.begin() != value.end() && value.begin().is_string();
    if (!is_named) {
      return fail(R"(a predicate, true or such as ["=", "age", 15])", value);
    }
    const std::string_view name = value.begin().text();
    out_ += '[';
    out_ += ':';
    out_ += name;
    if (name == "and" || name == "or" || name == "not") {
      return parts_of(value, depth) && close();
    }
    const auto* const form = std::ranges::find(kPredicates, name, &PredicateForm::name);
    if (form == kPredicates.end()) {
      return fail(R"("=", "in", "mod", "key", "present", "and", "or" or "not" as a predicate)",
                  value.begin());
    }
    return comparison(value, *form) && close();
  }

  bool close() {
    out_ += ']';
    return true;
  }

  bool parts_of(Value value, std::size_t depth) {
    if (value.begin().text() == "not" && size_of(value) != 2) {
      return fail(R"(one predicate behind "not")", value);
    }
    for (Value part = value.begin().next(); part != value.end(); part = part.next()) {
      out_ += ' ';
      if (!predicate(part, depth + 1)) {
        return false;
      }
    }
    return true;
  }

  bool comparison(Value value, const PredicateForm& form) {
    const std::size_t count = size_of(value) - 1;
    const std::size_t least = form.numbers + (form.has_value ? 1 : 0);
    const bool has_column = form.has_column && count == least + 1;
    if (count != least && !has_column) {
      return fail("a predicate such as " + std::string(form.example), value);
    }
    Value part = value.begin().next();
    if (has_column) {
      if (!part.is_string()) {
        return fail("the name of a column in a predicate such as " + std::string(form.example),
                    part);
      }
      out_ += ' ';
      append_column_name(part.text(), out_);
      part = part.next();
    }
    for (; part != value.end(); part = part.next()) {
      if (!form.has_value && !integer(part)) {
        return fail("an integer of 64 bits in a predicate such as " + std::string(form.example),
                    part);
      }
      out_ += ' ';
      if (!any(part)) {
        return false;
      }
    }
    return true;
  }

  bool result(Value value, bool may_be_limited) {
    if (value.is_null()) {
      out_ += "nil";
      return true;
    }
    constexpr std::string_view kExpected =
        R"(a result: null, or an object with one of "rows", "versions", "keys", "bag", "count" )"
        R"(and "any")";
    if (!value.is_object()) {
      return fail(std::string(kExpected), value);
    }
    std::optional<Value> first;
    std::optional<Value> known;
    for (Value key = value.begin(); key != value.end(); key = key.next().next()) {
      std::optional<Value>& into = key.text() == "first" ? first : known;
      if (into) {
        return fail(std::string(kExpected), value);
      }
      into = key;
    }
    if (!known) {
      return fail(std::string(kExpected), value);
    }
    if (first && !may_be_limited) {
      return fail(R"("first" in results of "rp" alone)", *first);
    }
    return found(*known) && (!first || limit(first->next()));
  }

  bool limit(Value first) {
    const auto number = integer(first);
    if (!number || *number < 1 || *number > std::numeric_limits<std::int32_t>::max()) {
      return fail(R"(how many rows were asked for as "first")", first);
    }
    out_ += " {:first " + std::to_string(*number) + '}';
    return true;
  }

  bool found(Value key) {
    const Value what = key.next();
    if (key.text() == "count") {
      const auto number = integer(what);
      const bool is_count =
          number && *number >= 0 && *number <= std::numeric_limits<std::uint32_t>::max();
      return is_count ? any(what) : fail(R"(how many rows matched as "count")", what);
    }
    if (key.text() == "any") {
      const bool is_truth = what.kind() == json::Kind::kTrue || what.kind() == json::Kind::kFalse;
      return is_truth ? any(what) : fail(R"(true or false as "any")", what);
    }
    if (key.text() == "keys") {
      return list(what, "#{", '}', [this](Value row) { return any(row); });
    }
    if (key.text() == "bag") {
      return list(what, "[", ']', [this](Value row) { return columns(row); });
    }
    const bool are_versions = key.text() == "versions";
    if (!are_versions && key.text() != "rows") {
      return fail(R"("rows", "versions", "keys", "bag", "count" or "any" in a result)", key);
    }
    return list(what, "{", '}', [&](Value row) {
      if (!row.is_array() || size_of(row) != 2) {
        return fail(
            are_versions ? R"([KEY, VERSION] in "versions")" : R"([KEY, COLUMNS] in "rows")", row);
      }
      if (!any(row.begin())) {
        return false;
      }
      out_ += ' ';
      return part(are_versions ? Part::kVersion : Part::kColumns, row.begin().next(), false);
    });
  }

  template <class Append>
  bool list(Value array, std::string_view open, char close, Append append) {
    if (!array.is_array()) {
      return fail("an array of rows", array);
    }
    out_ += open;
    std::string_view separator;
    for (Value row = array.begin(); row != array.end(); row = row.next()) {
      out_ += separator;
      separator = " ";
      if (!append(row)) {
        return false;
      }
    }
    out_ += close;
    return true;
  }

  std::string& out_;
  Status status_;
};

bool is_plain_word(std::string_view name) {
  const auto is_letter = [](char c) {
    const bool is_ascii_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    return is_ascii_letter || static_cast<unsigned char>(c) >= 0x80;
  };
  const auto is_inner = [&](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') ||
           std::string_view("-.*+!?<>=").find(c) != std::string_view::npos;
  };
  return !name.empty() && is_letter(name.front()) && std::ranges::all_of(name, is_inner);
}

/// Whether the name is an integer in printed form, of any length, without leading zeros.
bool is_plain_integer(std::string_view name) {
  const std::string_view digits = name.substr(name.starts_with('-') ? 1 : 0);
  const bool has_digits_alone =
      !digits.empty() && std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
  return has_digits_alone && (digits.front() != '0' || name == "0");
}

}  // namespace

Status append_row_op(Value operation, std::string& out) {
  RowOpText text(out);
  text.operation(operation);
  return text.status();
}

void append_column_name(std::string_view name, std::string& out) {
  if (is_plain_word(name)) {
    out += ':';
    out += name;
  } else if (is_plain_integer(name)) {
    append_edn_number(name, edn::TextStyle::kCanonical, out);
  } else {
    append_edn_string(name, out);
  }
}

}  // namespace elapid
