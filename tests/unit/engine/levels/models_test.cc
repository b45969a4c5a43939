// The lattice against Elle's own answers, in tests/data/models.
#include "engine/levels/models.h"
#include "tests/support/model_set.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

namespace elapid {
namespace {

using Words = std::set<std::string>;

/// A line of a table: a name, then columns of words.
struct Row {
  std::string name;
  std::vector<Words> columns;

  [[nodiscard]] Words column(std::size_t i) const {
    return i < columns.size() ? columns[i] : Words();
  }
};

Words words(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

std::vector<Row> read_table(const std::string& file) {
  std::ifstream stream(ELAPID_TEST_DATA "/models/" + file);
  std::vector<Row> rows;
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with('#')) {
      continue;
    }
    std::istringstream cells(line);
    Row row;
    std::getline(cells, row.name, '\t');
    for (std::string cell; std::getline(cells, cell, '\t');) {
      row.columns.push_back(words(cell));
    }
    rows.push_back(row);
  }
  return rows;
}

Model model(const std::string& name) {
  INFO(name);
  const std::optional<Model> found = find_model(name);
  REQUIRE(found.has_value());
  return *found;
}

AnomalyType anomaly(const std::string& name) {
  INFO(name);
  const std::optional<AnomalyType> found = find_anomaly(name);
  REQUIRE(found.has_value());
  return *found;
}

template <class Set, class Spell>
Words spelled(const Set& set, const Spell& spell) {
  Words result;
  for (const auto value : set) {
    result.emplace(spell(value));
  }
  return result;
}

Words canonical(const ModelSet& models) {
  return spelled(models, canonical_name);
}

Words friendly(const ModelSet& models) {
  return spelled(models, friendly_name);
}

Words names(const AnomalySet& types) {
  return spelled(types, [](AnomalyType type) { return name(type); });
}

std::vector<Model> all_models() {
  const ModelSet all = ModelSet::all();
  return {all.begin(), all.end()};
}

std::vector<AnomalyType> all_anomalies() {
  const AnomalySet all = AnomalySet::all();
  return {all.begin(), all.end()};
}

/// Everything reachable from `start`, itself included, one step at a time.
Words reachable(const std::map<std::string, Words>& edges, const std::string& start) {
  Words seen = {start};
  for (std::size_t before = 0; before != seen.size();) {
    before = seen.size();
    for (const std::string& at : Words(seen)) {
      if (const auto found = edges.find(at); found != edges.end()) {
        seen.insert(found->second.begin(), found->second.end());
      }
    }
  }
  return seen;
}

std::map<std::string, Words> edges_of(const std::vector<Row>& rows, std::size_t column) {
  std::map<std::string, Words> edges;
  for (const Row& row : rows) {
    edges[row.name] = row.column(column);
  }
  return edges;
}

constexpr AnomalyType kOurs = AnomalyType::kGarbageRead;

}  // namespace

TEST_CASE("models have the names of Elle in order") {
  const std::vector<Row> rows = read_table("models.tsv");
  REQUIRE(rows.size() == models_of_elle().count());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto model = static_cast<Model>(i);
    CHECK(canonical_name(model) == rows[i].name);
    CHECK(Words{std::string(friendly_name(model))} == rows[i].column(0));
    CHECK(find_model(canonical_name(model)) == model);
    CHECK(find_model(friendly_name(model)) == model);
    CHECK(find_model(":" + rows[i].name) == model);
  }
  CHECK_FALSE(find_model("").has_value());
  CHECK_FALSE(find_model("pl-2").has_value());
  CHECK_FALSE(find_model("::PL-2").has_value());
}

TEST_CASE("aliases lead to their models") {
  const std::vector<Row> rows = read_table("aliases.tsv");
  REQUIRE(rows.size() == 18);
  for (const Row& row : rows) {
    CHECK(Words{std::string(canonical_name(model(row.name)))} == row.column(0));
  }
}

TEST_CASE("all model names are sorted and distinct and understood") {
  const auto names = all_model_names();
  CHECK(std::ranges::is_sorted(names));
  Words spellings;
  for (const auto& [spelling, model] : names) {
    CHECK(find_model(spelling) == model);
    spellings.emplace(spelling);
  }
  Words expected;
  for (const Row& row : read_table("prohibited.tsv")) {
    expected.insert(row.name);
  }
  expected.merge(
      Words{"rc", "ra", "cc", "pc", "si", "ser", "strong-session-prefix"});  // not Elle's
  CHECK(spellings == expected);
  CHECK(names.size() == expected.size());
}

TEST_CASE("anomalies are found by name and numbered in the order of names") {
  std::vector<std::string_view> spellings;
  for (const AnomalyType type : all_anomalies()) {
    spellings.push_back(name(type));
    CHECK(find_anomaly(name(type)) == type);
    CHECK(find_anomaly(":" + std::string(name(type))) == type);
  }
  CHECK(std::ranges::is_sorted(spellings));
  CHECK(std::ranges::adjacent_find(spellings) == spellings.end());
  CHECK(find_anomaly("G-SI") == AnomalyType::kGSi);
  CHECK(find_anomaly("GSI") == AnomalyType::kGSI);
  CHECK_FALSE(find_anomaly("g1a").has_value());
}

TEST_CASE("model implications and their closure") {
  const std::vector<Row> rows = read_table("models.tsv");
  const auto edges = edges_of(rows, 1);
  for (const Row& row : rows) {
    INFO(row.name);
    const ModelSet elle = models_of_elle();
    CHECK(canonical(implies_directly(model(row.name)) & elle) == row.column(1));
    // Session order makes the strong-session levels imply Elle's models of sessions as well.
    const ModelSet by_ours = all_implied(only(Model::kPc));
    const ModelSet implied = all_implied(only(model(row.name)));
    Words expected = reachable(edges, row.name);
    if (implied.test(Model::kPc)) {
      expected.merge(canonical(by_ours & elle));
    }
    CHECK(canonical(implied & elle) == expected);
  }
  CHECK(all_implied(ModelSet()).none());
}

TEST_CASE("the models of Biswas and Enea imply one another, and Elle's weaker ones") {
  const auto implies = [](Model strong, Model weak) {
    return (all_implied(only(strong)) & only(weak)).any();
  };
  CHECK(implies(Model::kStrongSessionSerializable, Model::kStrongSessionSnapshotIsolation));
  CHECK(implies(Model::kStrongSessionSnapshotIsolation, Model::kPc));
  CHECK(implies(Model::kPc, Model::kCc));
  CHECK(implies(Model::kPc, Model::kPrefix));
  CHECK(implies(Model::kCc, Model::kRa));
  CHECK(implies(Model::kCc, Model::kCausal));
  CHECK(implies(Model::kRa, Model::kRc));
  CHECK(implies(Model::kRa, Model::kReadAtomic));
  CHECK(implies(Model::kRc, Model::kStrongSessionPl2));
  CHECK(implies(Model::kRc, Model::kMonotonicAtomicView));
  CHECK_FALSE(implies(Model::kPlSi, Model::kRc));  // no session order
  CHECK(find_model("si") == Model::kStrongSessionSnapshotIsolation);
  CHECK(find_model("ser") == Model::kStrongSessionSerializable);
}

TEST_CASE("what implies is the converse of what is implied") {
  for (const Model a : all_models()) {
    for (const Model b : all_models()) {
      const bool implied = (all_implied(only(a)) & only(b)).any();
      CHECK((all_impossible(only(b)) & only(a)).any() == implied);
    }
  }
  for (const AnomalyType a : all_anomalies()) {
    for (const AnomalyType b : all_anomalies()) {
      const bool implied = (all_implied(only(a)) & only(b)).any();
      CHECK((all_implying(only(b)) & only(a)).any() == implied);
    }
  }
}

TEST_CASE("implications have no cycles") {
  for (const Model a : all_models()) {
    CHECK((all_implied(only(a)) & all_impossible(only(a))) == only(a));
  }
  for (const AnomalyType a : all_anomalies()) {
    CHECK((all_implied(only(a)) & all_implying(only(a))) == only(a));
  }
}

TEST_CASE("anomaly implications") {
  const auto edges = edges_of(read_table("anomaly_implications.tsv"), 0);
  REQUIRE(edges.size() == 34);
  for (const AnomalyType type : all_anomalies()) {
    if (type != kOurs && type != AnomalyType::kMixedLevels) {
      CHECK(names(all_implied(only(type))) == reachable(edges, std::string(name(type))));
    }
  }
  const std::vector<Row> rows = read_table("implied_anomalies.tsv");
  REQUIRE(rows.size() == 24);
  for (const Row& row : rows) {
    CHECK(names(all_implied(only(anomaly(row.name)))) == row.column(0));
  }
}

TEST_CASE("directly proscribed anomalies") {
  const auto rows = edges_of(read_table("proscribed.tsv"), 0);
  REQUIRE(rows.size() == 24);
  for (const Model model : all_models()) {
    INFO(canonical_name(model));
    const auto found = rows.find(std::string(canonical_name(model)));
    if (models_of_elle().test(model)) {
      CHECK(names(proscribed_directly(model)) == (found == rows.end() ? Words() : found->second));
    }
  }
}

TEST_CASE("prohibited anomalies of each accepted name") {
  const std::vector<Row> rows = read_table("prohibited.tsv");
  REQUIRE(rows.size() == 54);
  for (const Row& row : rows) {
    INFO(row.name);
    const AnomalySet all = prohibited(only(model(row.name)), {});
    CHECK(names(all & ~only(kOurs)) == row.column(0));
    CHECK((all & only(kOurs)).any() == row.column(0).contains("G1"));
  }
}

TEST_CASE("prohibited joins models and extra anomalies") {
  CHECK(prohibited({}, {}).none());
  CHECK(names(prohibited({}, only(AnomalyType::kG0))) == Words{"G0"});
  CHECK(names(prohibited({}, only(AnomalyType::kG1a))) ==
        Words{"G1a", "dirty-update", "incompatible-order"});
  const AnomalySet both = prohibited(only(Model::kPl1), only(AnomalyType::kInternal));
  CHECK(both == (prohibited(only(Model::kPl1), {}) | only(AnomalyType::kInternal)));
}

TEST_CASE("the boundary of each anomaly") {
  const std::vector<Row> rows = read_table("boundaries.tsv");
  REQUIRE(rows.size() == 60);
  for (const Row& row : rows) {
    INFO(row.name);
    const Boundary found =
        boundary_of(impossible_models(only(anomaly(row.name))) & models_of_elle());
    CHECK(friendly(found.not_models) == row.column(0));
    CHECK(friendly(found.also_not_models) == row.column(1));
  }
}

TEST_CASE("the boundary of several anomalies splits all models that any of them rules out") {
  for (const AnomalyType a : all_anomalies()) {
    for (const AnomalyType b : all_anomalies()) {
      const AnomalySet found = only(a) | only(b);
      const ModelSet impossible = impossible_models(found);
      const auto [weakest, others] = boundary(found);
      CHECK(impossible == (impossible_models(only(a)) | impossible_models(only(b))));
      CHECK((weakest & others).none());
      CHECK((weakest | others) == impossible);
      CHECK(all_impossible(weakest) == impossible);
    }
  }
  const Boundary mixed = boundary(only(AnomalyType::kLostUpdate) | only(AnomalyType::kInternal));
  CHECK(friendly(mixed.not_models) == Words{"cursor-stability", "read-atomic"});
  CHECK(boundary({}).not_models.none());
  CHECK(boundary({}).also_not_models.none());
}

TEST_CASE("garbage-read counts as G1") {
  CHECK(all_implied(only(kOurs)) == (all_implied(only(AnomalyType::kG1)) | only(kOurs)));
  CHECK(friendly(boundary(only(kOurs)).not_models) == Words{"read-committed"});
  CHECK((prohibited(only(Model::kPl2), {}) & only(kOurs)).any());
  CHECK((prohibited(only(Model::kPl1), {}) & only(kOurs)).none());
}

TEST_CASE("misspelt names") {
  using LevelNames = std::vector<std::string>;
  CHECK(similar_models("serialisable", 1) == LevelNames{"serializable"});
  CHECK(similar_models("Strict_Serializable", 1) == LevelNames{"strict-serializable"});
  CHECK(similar_models(":PL2") == LevelNames{"PL-2"});
  CHECK(similar_models("snapshot isolatoin", 1) == LevelNames{"snapshot-isolation"});
  CHECK(similar_models("PL-4") == LevelNames{"PL-1", "PL-2", "PL-3"});
  CHECK(similar_models("xyzzy").empty());
  CHECK(similar_models("").empty());
  CHECK(similar_models("serializable", 0).empty());
  CHECK(similar_models(std::string(1'000'000, 's')).empty());
  CHECK(similar_anomalies("g1A", 1) == LevelNames{"G1a"});
  CHECK(similar_anomalies("lost-updates", 1) == LevelNames{"lost-update"});
  CHECK(similar_anomalies("duplicate") == LevelNames{});
}

TEST_CASE("every model is described") {
  std::set<std::string_view> definitions;
  for (const Model model : all_models()) {
    INFO(canonical_name(model));
    const ModelDescription description = describe(model);
    CHECK(description.definition.ends_with('.'));
    CHECK(definitions.insert(description.definition).second);
    CHECK_FALSE(description.source.empty());
    CHECK_FALSE(description.completeness.empty());
  }
}

TEST_CASE("a model proscribes something, or is defined by an order of events") {
  for (const Model model : all_models()) {
    INFO(canonical_name(model));
    CHECK((proscribed_directly(model).any() || order_level(model)));
  }
}

}  // namespace elapid
