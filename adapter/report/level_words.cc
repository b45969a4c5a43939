#include "adapter/report/level_words.h"

#include <algorithm>

#include "adapter/elle/verdict_view.h"

namespace elapid {
namespace {

std::string spaced(std::string_view name) {
  constexpr std::string_view kSession = "strong-session-";
  const bool is_of_session = name.starts_with(kSession);
  std::string words(name.substr(is_of_session ? kSession.size() : 0));
  std::ranges::replace(words, '-', ' ');
  return (is_of_session ? "strong-session " : "") + words;
}

}  // namespace

std::string spoken_name(Model model) {
  switch (model) {
    case Model::kPlSs:
      return "strict serializable";
    case Model::kRc:
      return "read committed with sessions (rc)";
    case Model::kRa:
      return "read atomic with sessions (ra)";
    case Model::kCc:
      return "causal consistency (cc)";
    case Model::kPc:
      return "prefix consistency with sessions (pc)";
    case Model::kCausalCerone:
      return "causal (Cerone)";
    case Model::kOneSr:
      return "one-copy serializable";
    case Model::kStrongPl1:
      return "strong read uncommitted";
    case Model::kStrongPl2:
      return "strong read committed";
    case Model::kStrongSessionPl1:
      return "strong-session read uncommitted";
    case Model::kStrongSessionPl2:
      return "strong-session read committed";
    default:
      return spaced(friendly_name(model));
  }
}

std::vector<std::string> spoken_names(ModelSet models) {
  std::vector<std::string> names;
  for (const std::string_view name : sorted_names(models)) {
    names.push_back(spoken_name(*find_model(name)));
  }
  return names;
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
