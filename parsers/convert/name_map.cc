#include "parsers/convert/name_map.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "engine/ir/json_string.h"

namespace elapid {

namespace {

using Names =
    std::vector<std::pair<std::string, std::string>>;  // in the output, JSON of the source

std::string json_string(std::string_view text) {
  std::string out;
  append_json_string(text, out);
  return out;
}

Names names_of(const Plan& plan, const Numbering& numbering) {
  Names names;
  if (&numbering == &plan.key_numbers() && plan.keeps_key_names()) {
    return names;
  }
  for (const auto& [number, name] : numbering.renumbered()) {
    names.emplace_back(std::to_string(number), json_string(plan.history().text(name)));
  }
  return names;
}

Names key_names(const Plan& plan) {
  const History& history = plan.history();
  if (!plan.target().letter_keys) {
    return names_of(plan, plan.key_numbers());
  }
  Names names;
  for (KeyId key{0}; key.index() < history.key_count(); ++key.value) {
    names.emplace_back(std::string(1, static_cast<char>('a' + key.value)),
                       json_string(history.key_text(key)));
  }
  return names;
}

/// Writes with numbers of their own: number -> [key, value].
Names write_names(const Plan& plan) {
  const History& history = plan.history();
  std::vector<std::pair<std::int64_t, std::uint32_t>> writes;
  for (const auto& [place, number] : plan.write_numbers()) {
    writes.emplace_back(number, place);
  }
  std::ranges::sort(writes);
  Names names;
  for (const auto& [number, place] : writes) {
    const Op op = history.all_ops()[place];
    names.emplace_back(std::to_string(number), '[' + json_string(history.key_text(op.key())) +
                                                   ", " + json_string(history.text(op.value())) +
                                                   ']');
  }
  return names;
}

Names session_names(const Plan& plan) {
  Names names;
  const std::vector<std::int64_t>& numbers = plan.session_numbers();
  for (SessionId session{0}; session.index() < numbers.size(); ++session.value) {
    if (plan.sessions_are_renumbered()) {
      const auto given = plan.history().session_given_name(session);
      names.emplace_back(
          std::to_string(numbers[session.index()]),
          given ? json_string(*given) : std::to_string(plan.history().session_name(session)));
    }
  }
  return names;
}

void write_names(std::string_view field, const Names& names, OutputFile& out) {
  out << ",\n \"" << field << "\": {";
  for (std::size_t i = 0; i < names.size(); ++i) {
    out << (i == 0 ? "" : ", ") << '"' << names[i].first << "\": " << names[i].second;
  }
  out << '}';
}

}  // namespace

bool renames(const Plan& plan) {
  return !key_names(plan).empty() || plan.column_numbers().renumbered_count() > 0 ||
         plan.value_numbers().renumbered_count() > 0 || plan.value_numbers().is_moved() ||
         !plan.write_numbers().empty() || plan.sessions_are_renumbered();
}

Status write_name_map(const Plan& plan, OutputFile& out) {
  out << "{\"from\": " << json_string(plan.history().info().format)
      << ",\n \"to\": " << json_string(text(plan.target()));
  write_names("keys", key_names(plan), out);
  if (plan.workload() == Workload::kRows) {
    write_names("columns", names_of(plan, plan.column_numbers()), out);
  }
  write_names("values", names_of(plan, plan.value_numbers()), out);
  out << ",\n \"values_greater_by\": " << (plan.value_numbers().is_moved() ? 1 : 0);
  write_names("writes", write_names(plan), out);
  write_names("sessions", session_names(plan), out);
  out << "}\n";
  return {};
}

}  // namespace elapid
