#include "tests/golden/golden_case.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <stdexcept>
#include <string_view>

#include "engine/levels/models.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/edn/scanner.h"
#include "parsers/edn/value_text.h"

namespace elapid {

namespace {

/// The canonical text of the form that the current token begins.
std::string form(edn::Scanner& scanner) {
  std::string text;
  if (const Status status = edn::append_form(scanner, edn::TextStyle::kCanonical, text);
      !status.ok()) {
    throw std::runtime_error(status.error().to_string());
  }
  return text;
}

/// The forms of a map in canonical text, by the canonical text of their keys. Throws
/// std::runtime_error if the text is not a map, or has a key twice.
std::map<std::string, std::string> read_edn_map(const std::string& text) {
  const std::unique_ptr<ByteSource> source = memory_source("map", text);
  edn::Scanner scanner(*source);
  if (scanner.next() != edn::TokenKind::kOpenMap) {
    throw std::runtime_error("expected a map, found " + describe(scanner.token()));
  }
  std::map<std::string, std::string> map;
  while (scanner.next() != edn::TokenKind::kCloseBrace) {
    const std::string key = form(scanner);
    scanner.next();
    if (!map.try_emplace(key, form(scanner)).second) {
      throw std::runtime_error("the key " + key + " is there twice");
    }
  }
  return map;
}

/// The canonical texts of the elements of a vector, list or set; of nil none.
std::vector<std::string> read_edn_elements(const std::string& text) {
  const std::unique_ptr<ByteSource> source = memory_source("elements", text);
  edn::Scanner scanner(*source);
  std::vector<std::string> elements;
  if (!is_open(scanner.next())) {
    return elements;
  }
  while (!is_close(scanner.next())) {
    elements.push_back(form(scanner));
  }
  return elements;
}

namespace fs = std::filesystem;
using EdnMap = std::map<std::string, std::string>;

constexpr std::string_view kOptionsSuffix = ".opts.edn";

EdnMap read_map(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  try {
    return read_edn_map(text);
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(file.string() + ": " + error.what());
  }
}

/// The value of a key, `nil` if there is none.
std::string get(const EdnMap& map, const std::string& key) {
  const auto found = map.find(key);
  return found == map.end() ? "nil" : found->second;
}

std::set<std::string> names(const EdnMap& map, const std::string& key) {
  const std::vector<std::string> elements = read_edn_elements(get(map, key));
  return {elements.begin(), elements.end()};
}

std::string unquoted(const std::string& text) {
  return text.substr(1, text.size() - 2);
}

/// The bits of all names, by the function that finds one.
template <class Set, class Find>
Set find_all(const std::vector<std::string>& names, Find find) {
  Set set;
  for (const std::string& name : names) {
    const auto found = find(name);
    if (!found) {
      throw std::runtime_error("unknown name " + name);
    }
    set.set(*found);
  }
  return set;
}

CheckOptions read_options(const EdnMap& elle) {
  CheckOptions options;
  const std::vector<std::string> models = elle.contains(":consistency-models")
                                              ? read_edn_elements(get(elle, ":consistency-models"))
                                              : std::vector<std::string>{":strict-serializable"};
  options.models = find_all<ModelSet>(models, find_model);
  options.anomalies =
      find_all<AnomalySet>(read_edn_elements(get(elle, ":anomalies")), find_anomaly);
  options.assumptions.wfr_keys = get(elle, ":wfr-keys?") == "true";
  options.assumptions.sequential_keys = get(elle, ":sequential-keys?") == "true";
  options.assumptions.linearizable_keys = get(elle, ":linearizable-keys?") == "true";
  if (elle.contains(":transaction-order")) {
    for (const auto& [index, place] : read_edn_map(get(elle, ":transaction-order"))) {
      options.assumptions.transaction_order.emplace_back(std::stoll(index), std::stoll(place));
    }
  }
  return options;
}

GoldenCase read_case(const fs::path& options_file) {
  const std::string file_name = options_file.filename().string();
  const std::string name = file_name.substr(0, file_name.size() - kOptionsSuffix.size());
  const fs::path folder = options_file.parent_path();
  const EdnMap options = read_map(options_file);
  const EdnMap expected = read_map(folder / (name + ".expected.edn"));
  const std::string elle = get(options, ":opts");
  return {
      .name = folder.filename().string() + '/' + name,
      .history = folder / unquoted(get(options, ":history")),
      .workload = folder.filename() == "closed-predicate"               ? Workload::kRows
                  : folder.filename().string().ends_with("list-append") ? Workload::kListAppend
                                                                        : Workload::kRwRegister,
      .options = read_options(elle == "nil" ? EdnMap() : read_edn_map(elle)),
      .expected = {get(expected, ":valid?"), names(expected, ":anomaly-types"),
                   names(expected, ":not"), names(expected, ":also-not")},
      .elle_threw = expected.contains(":elle/exception"),
      .is_pairing_error = get(expected, ":type").starts_with(":jepsen.history/"),
      .timed_out = get(options, ":timed-out?") == "true",
  };
}

std::set<std::string> model_names(ModelSet models) {
  std::set<std::string> names;
  for (const Model model : models) {
    names.insert(':' + std::string(friendly_name(model)));
  }
  return names;
}

std::string joined(const std::set<std::string>& names) {
  std::string out = "{";
  for (const std::string& name : names) {
    out += (out.size() == 1 ? "" : " ") + name;
  }
  return out + '}';
}

}  // namespace

std::vector<GoldenCase> golden_cases(const fs::path& folder) {
  std::vector<GoldenCase> cases;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().string().ends_with(kOptionsSuffix)) {
      cases.push_back(read_case(entry.path()));
    }
  }
  std::sort(cases.begin(), cases.end(),
            [](const GoldenCase& a, const GoldenCase& b) { return a.name < b.name; });
  return cases;
}

GoldenAnswer answer_of(const Verdict& verdict) {
  constexpr std::array kValidities = {"true", "false", ":unknown"};
  GoldenAnswer answer{.valid = kValidities.at(static_cast<std::size_t>(verdict.validity))};
  if (verdict.validity == Validity::kValid) {
    return answer;
  }
  for (const Anomaly& anomaly : verdict.anomalies) {
    answer.anomaly_types.insert(':' + std::string(name(anomaly.type)));
  }
  answer.not_models = model_names(verdict.not_models);
  answer.also_not_models = model_names(verdict.also_not_models);
  return answer;
}

std::string to_text(const GoldenAnswer& answer) {
  return answer.valid + ' ' + joined(answer.anomaly_types) + " not " + joined(answer.not_models) +
         " also not " + joined(answer.also_not_models);
}

bool agrees(const GoldenCase& golden, const Result<Verdict>& result) {
  if (!result.ok()) {
    return golden.elle_threw && result.error().kind != ErrorKind::kInternal;
  }
  const GoldenAnswer answer = answer_of(result.value());
  if (golden.elle_threw) {
    // A tolerant pairing may find that all is well where a strict one refused.
    return golden.is_pairing_error || answer.valid != "true";
  }
  return golden.timed_out ? answer.valid == golden.expected.valid : answer == golden.expected;
}

}  // namespace elapid
