#include "adapter/report/level_words.h"

#include <algorithm>
#include <array>
#include <utility>

#include "adapter/elle/verdict_view.h"
#include "engine/ir/mapped.h"

namespace elapid {
namespace {

std::string spaced(std::string_view name) {
  constexpr std::string_view kSession = "strong-session-";
  const bool is_of_session = name.starts_with(kSession);
  std::string words(name.substr(is_of_session ? kSession.size() : 0));
  std::ranges::replace(words, '-', ' ');
  return (is_of_session ? "strong-session " : "") + words;
}

constexpr std::array<std::pair<Model, std::string_view>, 11> kSpokenNames = {{
    {Model::kPlSs, "strict serializable"},
    {Model::kRc, "read committed with sessions (rc)"},
    {Model::kRa, "read atomic with sessions (ra)"},
    {Model::kCc, "causal consistency (cc)"},
    {Model::kPc, "prefix consistency with sessions (pc)"},
    {Model::kCausalCerone, "causal (Cerone)"},
    {Model::kOneSr, "one-copy serializable"},
    {Model::kStrongPl1, "strong read uncommitted"},
    {Model::kStrongPl2, "strong read committed"},
    {Model::kStrongSessionPl1, "strong-session read uncommitted"},
    {Model::kStrongSessionPl2, "strong-session read committed"},
}};

}  // namespace

std::string spoken_name(Model model) {
  const auto* const found =
      std::ranges::find(kSpokenNames, model, &std::pair<Model, std::string_view>::first);
  return found != kSpokenNames.end() ? std::string(found->second) : spaced(friendly_name(model));
}

std::vector<std::string> spoken_names(ModelSet models) {
  return mapped<std::string>(sorted_names(models),
                             [&](std::string_view name) { return spoken_name(*find_model(name)); });
}

std::string listed_words(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    text += i == 0 ? "" : i + 1 == words.size() ? " and " : ", ";
    text += words[i];
  }
  return text;
}

std::string_view documented_as(Model model) {
  switch (model) {
    case Model::kPl1:
      return "READ UNCOMMITTED of MySQL, MariaDB and SQL Server";
    case Model::kPl2:
      return "READ COMMITTED of PostgreSQL, Oracle, MySQL, MariaDB and SQL Server";
    case Model::kPl299:
      return "REPEATABLE READ of SQL Server and Db2 (RS)";
    case Model::kPlSi:
      return "REPEATABLE READ of PostgreSQL and YugabyteDB, SERIALIZABLE of Oracle, SNAPSHOT of "
             "SQL Server, transactions of Dgraph, MongoDB, TiDB and Galera";
    case Model::kPl3:
      return "SERIALIZABLE of PostgreSQL, CockroachDB, YugabyteDB, SQL Server and MySQL";
    case Model::kPlSs:
      return "external consistency of Spanner, transactions of FaunaDB, FoundationDB and etcd";
    case Model::kCausal:
    case Model::kCc:
      return "causal consistency of MongoDB sessions and AntidoteDB";
    case Model::kLinearizable:
      return "single-key reads and writes of etcd, Consul (consistent) and ZooKeeper (sync)";
    default:
      return "";
  }
}

}  // namespace elapid
