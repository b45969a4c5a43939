#include "tests/service/service.h"

#include <chrono>
#include <thread>

namespace elapid {
namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

std::string small_history(bool is_valid, int number) {
  const std::string key = std::to_string(number);
  const auto transaction = [&](int index, int process, const std::string& read, int append) {
    const std::string end = ", :process " + std::to_string(process) + ", :f :txn, :value [[:r " +
                            key + " " + read + "] [:append " + key + " " + std::to_string(append) +
                            "]]}\n";
    return "{:index " + std::to_string(index) + ", :type :invoke, :process " +
           std::to_string(process) + ", :f :txn, :value [[:r " + key + " nil] [:append " + key +
           " " + std::to_string(append) + "]]}\n{:index " + std::to_string(index + 1) +
           ", :type :ok" + end;
  };
  return transaction(0, 0, "[]", 1) + transaction(2, 1, "[1]", 2) +
         transaction(4, 2, is_valid ? "[1 2]" : "[1]", 3) +
         "{:index 6, :type :invoke, :process 3, :f :txn, :value [[:r " + key +
         " nil]]}\n{:index 7, :type :ok, :process 3, :f :txn, :value [[:r " + key + " [1 2 3]]]}\n";
}

std::optional<std::string> post(httplib::Client& client, const std::string& history,
                                const std::string& query) {
  const httplib::Result answer =
      client.Post("/v1/checks" + query, history, "application/x-www-form-urlencoded");
  return answer && answer->status == 202 ? std::optional(field(answer->body, "id")) : std::nullopt;
}

std::string field(const std::string& json, const std::string& key) {
  const std::size_t at = json.find('"' + key + "\": ");
  if (at == std::string::npos) {
    return "";
  }
  const std::size_t begin = at + key.size() + 4;
  return json[begin] == '"' ? json.substr(begin + 1, json.find('"', begin + 1) - begin - 1)
                            : json.substr(begin, json.find_first_of(",}", begin) - begin);
}

std::string await_answer(httplib::Client& client, const std::string& id) {
  std::string document;
  for (const auto until = Clock::now() + std::chrono::seconds(60); Clock::now() < until;) {
    const httplib::Result answer = client.Get("/v1/checks/" + id);
    document = answer ? answer->body : "";
    const std::string state = field(document, "state");
    if (answer && state != "queued" && state != "running") {
      break;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return document;
}

}  // namespace elapid
