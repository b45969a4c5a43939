#include "engine/check/engines.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/elle/analysis.h"
#include "engine/elle/cycle_search.h"

namespace elapid {

namespace {

void find_cycles(const History& history, const CheckOptions& options, const Question& question,
                 elle::Analysis& analysis, Work& work, Answer& answer) {
  elle::CycleFindings found = elle::find_cycles(
      history, analysis,
      {.orders = question.orders,
       .edge_visits = options.budget.edge_visits,
       .milliseconds = options.budget.milliseconds,
       .keep_components = options.keep_components,
       .keep_going = [&] { return work.progress("searching for cycles") && work.has_budget(); }});
  answer.elle_error = std::move(found.exception);
  if (answer.elle_error) {
    answer.anomalies.clear();
    return;
  }
  std::ranges::move(found.anomalies, std::back_inserter(answer.anomalies));
  answer.components = std::move(found.components);
  answer.is_partial = found.is_partial;
}

}  // namespace

Answer answer_as_elle(const History& history, const CheckOptions& options, const Question& question,
                      Work& work) {
  Answer answer = {.engine = "elle"};
  if (!work.progress("inferring dependencies")) {
    return answer;
  }
  elle::Analysis analysis = history.info().rows ? elle::analyze_rows(history)
                            : history.has_lists()
                                ? elle::analyze_lists(history)
                                : elle::analyze_registers(history, options.assumptions);
  answer.elle_error = std::move(analysis.exception);
  if (!answer.elle_error && work.progress("searching for cycles")) {
    answer.anomalies = std::move(analysis.anomalies);
    if (work.has_budget()) {
      find_cycles(history, options, question, analysis, work, answer);
    }
  }
  if (!work.spent_budget().empty()) {
    answer.doubt = "the budget was reached (" + options.spent_budget + ")";
  }
  return answer;
}

}  // namespace elapid
