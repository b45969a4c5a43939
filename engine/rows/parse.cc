#include "engine/rows/parse.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "engine/ir/call.h"
#include "engine/ir/integer_text.h"

namespace elapid::rows {

namespace {

struct NamedKind {
  std::string_view name;
  RowOpKind kind;
};

constexpr std::array kKinds = {
    NamedKind{":insert", RowOpKind::kInsert},
    NamedKind{":update", RowOpKind::kUpdate},
    NamedKind{":put", RowOpKind::kPut},
    NamedKind{":w", RowOpKind::kPut},
    NamedKind{":write", RowOpKind::kPut},
    NamedKind{":delete", RowOpKind::kDelete},
    NamedKind{":r", RowOpKind::kRead},
    NamedKind{":read", RowOpKind::kRead},
    NamedKind{":rp", RowOpKind::kPredicateRead},
    NamedKind{":up", RowOpKind::kPredicateUpdate},
    NamedKind{":dp", RowOpKind::kPredicateDelete},
};

const NamedKind* find_row_op(std::string_view name) {
  const auto* const found = std::ranges::find(kKinds, name, &NamedKind::name);
  return found == kKinds.end() ? nullptr : found;
}

bool is_map(std::string_view text) {
  return text.starts_with('{');
}

std::optional<std::string_view> version_in(std::string_view text) {
  return text.starts_with("#v ") ? std::optional(text.substr(3)) : std::nullopt;
}

std::string shortened(std::string_view text) {
  constexpr std::size_t kMost = 120;
  return text.size() <= kMost ? std::string(text) : std::string(text.substr(0, kMost)) + "...";
}

/// The least and greatest number of forms of an operation, including its name.
std::pair<std::size_t, std::size_t> form_count(RowOpKind kind) {
  switch (kind) {
    case RowOpKind::kInsert:
    case RowOpKind::kUpdate:
    case RowOpKind::kPut:
      return {3, 3};
    case RowOpKind::kPredicateUpdate:
      return {3, 4};
    default:
      return {2, 3};
  }
}

}  // namespace

bool RowParser::expect(std::string_view what, std::string_view found) {
  if (problem_.empty()) {
    problem_ = "expected " + std::string(what) + ", found " + shortened(found);
  }
  return false;
}

Result<MopInput> RowParser::operation(std::string_view text, const Reading& reading) {
  auto forms = elements_of(text);
  if (!forms || !text.starts_with('[')) {
    forms.emplace();
  }
  problem_.clear();
  return parse(*std::move(forms), text, reading);
}

Result<MopInput> RowParser::parse(Forms forms, std::string_view text, const Reading& reading) {
  written_.clear();
  shown_.clear();
  fields_.clear();
  RowOpInput input = {.position = reading.position, .version = reading.version};
  if (!read_operation(std::move(forms), text, reading, input)) {
    return Error{.message = std::move(problem_), .byte_offset = reading.position.offset};
  }
  input.written = written_;
  input.shown = shown_;
  return rows_.add(input);
}

bool RowParser::read_operation(Forms forms, std::string_view text, const Reading& reading,
                               RowOpInput& input) {
  const auto* const named = forms.empty() ? nullptr : find_row_op(forms.front());
  if (named == nullptr) {
    return expect("an operation on rows such as [:rp :true nil]", text);
  }
  input.kind = named->kind;
  if (!read_options(forms, input)) {
    return false;
  }
  const auto [least, most] = form_count(input.kind);
  if (forms.size() < least || forms.size() > most) {
    return expect("an operation of " + std::to_string(least) +
                      (most > least ? " or " + std::to_string(most) : std::string()) + " parts",
                  text);
  }
  const bool has_predicate = input.kind >= RowOpKind::kPredicateRead;
  if (!has_predicate) {
    input.row = rows_.row(value(forms[1]));
  } else if (!read_predicate(forms[1], input.predicate, 0)) {
    return false;
  }
  if (writes_columns(input.kind) && !read_fields(forms[2], written_)) {
    return false;
  }
  // The result of a delete of one row tells nothing.
  const bool has_result = has_predicate || input.kind == RowOpKind::kRead;
  const std::size_t result = input.kind == RowOpKind::kPredicateUpdate ? 3 : 2;
  const bool is_absent = forms.size() <= result;
  return !has_result ||
         read_result(is_absent ? "nil" : forms[result], input, is_absent || reading.nil_is_unknown);
}

/// Removes `#v 3` and `{:first 5}` from the end.
bool RowParser::read_options(Forms& forms, RowOpInput& input) {
  if (const auto version = version_in(forms.back())) {
    // For a read, the version is the result.
    if (forms.front() != ":r" && forms.front() != ":read") {
      input.version = value(*version);
      forms.pop_back();
    }
  }
  if (forms.size() == 4 && forms.front() == ":rp" && is_map(forms.back())) {
    const auto entries = *elements_of(forms.back());
    const auto first = entries.size() == 2 ? integer_of(entries[1]) : std::nullopt;
    if (!first || entries[0] != ":first" || *first < 1 || *first > INT32_MAX) {
      return expect("{:first NUMBER} after a result", forms.back());
    }
    input.first = static_cast<std::uint32_t>(*first);
    forms.pop_back();
  }
  return true;
}

std::optional<ColumnId> RowParser::column(std::string_view text) {
  const char first = text.empty() ? '\0' : text.front();
  const bool is_name =
      first == ':' || first == '"' || first == '-' || (first >= '0' && first <= '9');
  return is_name ? std::optional(rows_.column(value(text))) : std::nullopt;
}

bool RowParser::read_numbers(std::string_view low, std::string_view high, Predicate& predicate) {
  const auto first = integer_of(low);
  const auto second = integer_of(high);
  predicate.low = first.value_or(0);
  predicate.high = second.value_or(0);
  return first && second;
}

bool RowParser::read_predicate(std::string_view text, Predicate& predicate, std::size_t depth) {
  using Kind = Predicate::Kind;
  if (text == ":true") {
    return true;
  }
  if (depth > Predicate::kMaxDepth) {
    return expect("a predicate with fewer levels of nesting", text);
  }
  const auto forms = elements_of(text);
  if (!forms || forms->empty() || !text.starts_with('[')) {
    return expect("a predicate such as :true or [:= :age 15]", text);
  }
  const std::string_view name = forms->front();
  const std::size_t count = forms->size();
  // Takes a column; none if rows are single values.
  const auto take_column = [&](std::size_t arguments) {
    if (count == arguments + 1) {
      predicate.column = only_column();
      return true;
    }
    const auto named = count == arguments + 2 ? column((*forms)[1]) : std::nullopt;
    predicate.column = named.value_or(ColumnId());
    return named.has_value();
  };
  if (name == ":=") {
    predicate.kind = Kind::kEqual;
    if (!take_column(1)) {
      return expect("[:= COLUMN VALUE] as a predicate", text);
    }
    predicate.value = value(forms->back());
    return true;
  }
  if (name == ":in") {
    predicate.kind = Kind::kRange;
    return (take_column(2) && read_numbers((*forms)[count - 2], forms->back(), predicate)) ||
           expect("[:in COLUMN LOW HIGH] as a predicate", text);
  }
  if (name == ":mod") {
    predicate.kind = Kind::kMod;
    return (take_column(2) && read_numbers(forms->back(), (*forms)[count - 2], predicate)) ||
           expect("[:mod COLUMN BY REMAINDER] as a predicate", text);
  }
  if (name == ":key") {
    predicate.kind = Kind::kKeyRange;
    return (count == 3 && read_numbers((*forms)[1], (*forms)[2], predicate)) ||
           expect("[:key LOW HIGH] as a predicate", text);
  }
  if (name == ":present") {
    predicate.kind = Kind::kPresent;
    return take_column(0) || expect("[:present COLUMN] as a predicate", text);
  }
  const bool is_not = name == ":not";
  if (!(is_not && count == 2) && name != ":and" && name != ":or") {
    return expect("a predicate such as :true or [:= :age 15]", text);
  }
  predicate.kind = is_not ? Kind::kNot : name == ":and" ? Kind::kAnd : Kind::kOr;
  for (std::size_t part = 1; part < count; ++part) {
    if (!read_predicate((*forms)[part], predicate.parts.emplace_back(), depth + 1)) {
      return false;
    }
  }
  return true;
}

bool RowParser::read_fields(std::string_view text, std::vector<Field>& fields) {
  if (!is_map(text)) {
    fields.push_back({only_column(), value(text)});
    return true;
  }
  const auto entries = *elements_of(text);
  for (std::size_t i = 0; i + 1 < entries.size(); i += 2) {
    const auto named = column(entries[i]);
    if (!named) {
      return expect("a name of a column", entries[i]);
    }
    fields.push_back({*named, value(entries[i + 1])});
  }
  return true;
}

bool RowParser::read_shown(std::string_view text, RowOpInput& input, ShownRowInput& row) {
  const auto version = version_in(text);
  if (version && shown_.size() == 1) {
    input.known = Known::kVersions;
  }
  if (version.has_value() != (input.known == Known::kVersions)) {
    return expect(version ? "columns, as of the rows before it" : "a version such as #v 3", text);
  }
  if (version) {
    row.version = value(*version);
    return true;
  }
  if (!read_fields(text, fields_.emplace_back())) {
    return false;
  }
  row.fields = fields_.back();
  return true;
}

bool RowParser::read_result(std::string_view text, RowOpInput& input, bool is_unknown_if_nil) {
  const auto entries = elements_of(text);
  if (input.kind == RowOpKind::kRead) {
    input.known = text == "nil" && is_unknown_if_nil ? Known::kNothing : Known::kValues;
    return text == "nil" || read_shown(text, input, shown_.emplace_back(input.row));
  }
  if (text == "nil") {
    return true;
  }
  if (text == "true" || text == "false") {
    input.known = Known::kAny;
    input.count = text == "true" ? 1 : 0;
    return true;
  }
  if (const auto count = integer_of(text)) {
    input.known = Known::kCount;
    input.count = static_cast<std::uint32_t>(*count);
    return (*count >= 0 && *count <= UINT32_MAX) || expect("how many rows matched", text);
  }
  if (!entries) {
    return expect("a result: the matching rows, their number, or whether there are any", text);
  }
  if (text.starts_with('#')) {
    input.known = Known::kKeys;
    for (const std::string_view key : *entries) {
      shown_.push_back({.row = rows_.row(value(key))});
    }
    return true;
  }
  // Writes show no contents, but the rows that they matched may be none.
  const bool shows_none = entries->empty() && input.kind != RowOpKind::kPredicateRead;
  input.known = !is_map(text) ? Known::kBag : shows_none ? Known::kKeys : Known::kValues;
  const std::size_t step = is_map(text) ? 2 : 1;
  for (std::size_t i = 0; i + step <= entries->size(); i += step) {
    ShownRowInput& row = shown_.emplace_back();
    if (is_map(text)) {
      row.row = rows_.row(value((*entries)[i]));
    }
    if (!read_shown((*entries)[i + step - 1], input, row)) {
      return false;
    }
  }
  return true;
}

Result<std::vector<MopInput>> RowParser::contents(std::string_view text, Reading reading) {
  const bool has_operations = text.starts_with('[');
  const auto entries = is_map(text) || has_operations ? elements_of(text) : std::nullopt;
  problem_.clear();
  if (!entries) {
    expect("initial contents such as {7 15} or [[:insert 7 15]]", text);
    return Error{.message = std::move(problem_), .byte_offset = reading.position.offset};
  }
  reading.version = ValueId::nil();
  std::vector<MopInput> inserts;
  const std::size_t step = has_operations ? 1 : 2;
  for (std::size_t i = 0; i + step <= entries->size(); i += step) {
    const std::string_view entry = (*entries)[i];
    if (has_operations && !entry.starts_with("[:insert ")) {
      expect("an operation such as [:insert 7 15] in initial contents", entry);
      return Error{.message = std::move(problem_), .byte_offset = reading.position.offset};
    }
    Result<MopInput> insert = has_operations
                                  ? operation(entry, reading)
                                  : parse({":insert", entry, (*entries)[i + 1]}, text, reading);
    if (!insert) {
      return std::move(insert.error());
    }
    inserts.push_back(insert.value());
  }
  return inserts;
}

}  // namespace elapid::rows
