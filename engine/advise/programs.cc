#include "engine/advise/programs.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

namespace elapid::advise {
namespace {

/// Types of parameters. Parameters that stand in the same place of a relation's keys have the same
/// type.
class ParameterTypes {
 public:
  explicit ParameterTypes(const ProgramSet& set) {
    for (const Program& program : set.programs) {
      first_of_program_.push_back(parents_.size());
      add(program.parameters.size());
    }
    for (const Relation& relation : set.relations) {
      first_of_relation_.push_back(parents_.size());
      add(relation.arity);
    }
    for (std::size_t p = 0; p < set.programs.size(); ++p) {
      for (const ProgramOperation& operation : set.programs[p].operations) {
        for (std::size_t i = 0; i < operation.arguments.size(); ++i) {
          parents_[root(first_of_program_[p] + operation.arguments[i])] =
              root(first_of_relation_[operation.relation] + i);
        }
      }
    }
  }

  [[nodiscard]] std::size_t of(std::size_t program, std::size_t parameter) {
    return root(first_of_program_[program] + parameter);
  }

 private:
  void add(std::size_t count) {
    for (; count > 0; --count) {
      parents_.push_back(parents_.size());
    }
  }

  std::size_t root(std::size_t node) {
    while (parents_[node] != node) {
      node = parents_[node] = parents_[parents_[node]];
    }
    return node;
  }

  std::vector<std::size_t> parents_ = {};
  std::vector<std::size_t> first_of_program_ = {};
  std::vector<std::size_t> first_of_relation_ = {};
};

class Instantiation {
 public:
  Instantiation(const ProgramSet& set, std::size_t most)
      : set_(set), most_(most), types_(set), is_written_(set.relations.size()) {
    for (const Program& program : set.programs) {
      for (const ProgramOperation& operation : program.operations) {
        is_written_[operation.relation] =
            is_written_[operation.relation] || !operation.writes.empty();
      }
    }
  }

  std::optional<Application> make() {
    application_.is_once = false;
    find_values();
    for (std::size_t p = 0; p < set_.programs.size(); ++p) {
      application_.programs.push_back(program_text(set_.programs[p]));
      if (!add_instances(p)) {
        return std::nullopt;
      }
    }
    return std::move(application_);
  }

 private:
  [[nodiscard]] bool counts(const ProgramOperation& operation) const {
    return is_written_[operation.relation];
  }

  /// The program's parameters that stand in the keys of operations that count.
  [[nodiscard]] std::vector<std::size_t> used_parameters(std::size_t program) const {
    std::vector<bool> is_used(set_.programs[program].parameters.size());
    for (const ProgramOperation& operation : set_.programs[program].operations) {
      for (const std::size_t parameter : operation.arguments) {
        is_used[parameter] = is_used[parameter] || counts(operation);
      }
    }
    std::vector<std::size_t> used;
    for (std::size_t i = 0; i < is_used.size(); ++i) {
      if (is_used[i]) {
        used.push_back(i);
      }
    }
    return used;
  }

  void find_values() {
    for (std::size_t p = 0; p < set_.programs.size(); ++p) {
      std::map<std::size_t, std::size_t> counts;
      for (const std::size_t parameter : used_parameters(p)) {
        std::size_t& values = values_[types_.of(p, parameter)];
        values = std::max(values, 2 * ++counts[types_.of(p, parameter)]);
      }
    }
  }

  bool add_instances(std::size_t program) {
    const std::vector<std::size_t> used = used_parameters(program);
    std::vector<std::size_t> values(set_.programs[program].parameters.size(), 0);
    std::size_t place = 0;  // of the parameter that gets its next value; values count from 1
    for (;;) {
      if (place == used.size()) {
        if (!add_instance(program, used, values)) {
          return false;
        }
        if (place == 0) {
          return true;
        }
        --place;
        continue;
      }
      std::size_t& value = values[used[place]];
      const std::size_t type = types_.of(program, used[place]);
      do {
        ++value;
      } while (std::any_of(used.begin(), used.begin() + static_cast<std::ptrdiff_t>(place),
                           [&](std::size_t other) {
                             return types_.of(program, other) == type && values[other] == value;
                           }));
      if (value <= values_[type]) {
        ++place;
      } else if (value = 0; place == 0) {
        return true;
      } else {
        --place;
      }
    }
  }

  bool add_instance(std::size_t number, const std::vector<std::size_t>& used,
                    const std::vector<std::size_t>& values) {
    const Program& program = set_.programs[number];
    Transaction transaction = {.program = static_cast<std::uint32_t>(number), .name = program.name};
    for (const std::size_t parameter : used) {
      transaction.name += (parameter == used.front() ? "(" : ", ") + program.parameters[parameter] +
                          "=" + std::to_string(values[parameter]);
    }
    transaction.name += used.empty() ? "" : ")";
    for (std::uint32_t i = 0; i < program.operations.size(); ++i) {
      const ProgramOperation& operation = program.operations[i];
      if (counts(operation)) {
        transaction.operations.push_back({.number = i,
                                          .reads = items(operation, operation.reads, values),
                                          .writes = items(operation, operation.writes, values)});
      }
    }
    operations_ += transaction.operations.size();
    application_.transactions.push_back(std::move(transaction));
    return operations_ <= most_;
  }

  std::vector<ItemId> items(const ProgramOperation& operation,
                            const std::vector<std::size_t>& attributes,
                            const std::vector<std::size_t>& values) {
    const Relation& relation = set_.relations[operation.relation];
    std::vector<std::size_t> key = {operation.relation};
    for (const std::size_t parameter : operation.arguments) {
      key.push_back(values[parameter]);
    }
    const auto [known, is_new] =
        keys_.try_emplace(std::move(key), static_cast<ItemId>(application_.items.size()));
    if (is_new) {
      std::string name = ":" + relation.name;
      for (std::size_t i = 1; i < known->first.size(); ++i) {
        name += "." + std::to_string(known->first[i]);
      }
      for (const std::string& attribute : relation.attributes) {
        application_.items.push_back(name + "/" + attribute);
      }
      application_.items.push_back(relation.attributes.empty() ? name : name + "/*");
    }
    std::vector<ItemId> found;
    std::ranges::transform(attributes, std::back_inserter(found), [&](std::size_t attribute) {
      return known->second + static_cast<ItemId>(attribute);
    });
    return found;
  }

  const ProgramSet& set_;
  std::size_t most_;
  ParameterTypes types_;
  std::vector<bool> is_written_;                          // by relation
  std::map<std::size_t, std::size_t> values_ = {};        // by type: how many
  std::map<std::vector<std::size_t>, ItemId> keys_ = {};  // the first item of each
  std::size_t operations_ = 0;
  Application application_ = {};
};

std::string attributes_text(const Relation& relation, const std::vector<std::size_t>& attributes) {
  if (attributes.size() > relation.attributes.size()) {
    return "";  // all of them
  }
  std::string text = " {";
  for (const std::size_t attribute : attributes) {
    text += (text.size() == 2 ? "" : " ") + relation.attributes[attribute];
  }
  return text + "}";
}

}  // namespace

std::optional<Application> instances_of(const ProgramSet& set, std::size_t most) {
  return Instantiation(set, most).make();
}

std::string operation_text(const ProgramSet& set, const Program& program,
                           const ProgramOperation& operation) {
  const Relation& relation = set.relations[operation.relation];
  std::string text = operation.writes.empty() ? "R " : operation.reads.empty() ? "W " : "U ";
  text += relation.name;
  for (std::size_t i = 0; i < operation.arguments.size(); ++i) {
    text += (i == 0 ? "(" : ", ") + program.parameters[operation.arguments[i]];
  }
  text += operation.arguments.empty() ? "" : ")";
  text += operation.reads.empty() ? "" : attributes_text(relation, operation.reads);
  const bool says_both = operation.reads != operation.writes;
  return text + (operation.writes.empty() || (!says_both && !operation.reads.empty())
                     ? ""
                     : attributes_text(relation, operation.writes));
}

std::string program_text(const Program& program) {
  std::string text = program.name;
  for (std::size_t i = 0; i < program.parameters.size(); ++i) {
    text += (i == 0 ? "(" : ", ") + program.parameters[i];
  }
  return text + (program.parameters.empty() ? "" : ")");
}

}  // namespace elapid::advise
