#include "engine/predict/tolerated.h"

#include <optional>
#include <set>
#include <span>

namespace elapid::predict {

namespace {

class Breaches {
 public:
  Breaches(const Observation& observation, const HappensBefore& happens_before, Visibility level,
           const EventOrder& order, PredictionSpace& space)
      : observation_(observation),
        happens_before_(happens_before),
        level_(level),
        places_(order.places),
        space_(space),
        writes_(observation.writers.size()) {
    for (const WriteFact& write : space.facts().writes) {
      writes_[write.key.index()].push_back(write);
    }
  }

  std::vector<Literal> find() {
    const std::span<const ReadFact> reads = space_.facts().reads;
    for (std::size_t begin = 0; begin < reads.size();) {
      std::size_t end = begin;
      while (end < reads.size() && reads[end].txn == reads[begin].txn) {
        ++end;
      }
      for (std::size_t i = begin; i < end; ++i) {
        add_read(reads[i], reads.subspan(begin, end - begin));
      }
      begin = end;
    }
    if (level_ == Visibility::kSnapshot) {
      add_overlaps();
    }
    return std::move(clause_);
  }

 private:
  [[nodiscard]] std::uint32_t start(std::uint32_t txn) const {
    return places_[start_of(level_, txn)];
  }

  [[nodiscard]] std::uint32_t commit(std::uint32_t txn) const {
    return places_[commit_of(level_, txn)];
  }

  void add(Literal literal) {
    if (said_.insert(literal.code()).second) {
      clause_.push_back(literal);
    }
  }

  void add_read(const ReadFact& fact, std::span<const ReadFact> of_txn) {
    if (fact.writer != kInitial && commit(fact.writer) > start(fact.txn)) {
      add(fact.holds);
    } else if (is_saturable(level_)) {
      each_visible(observation_, happens_before_, of_txn, fact, level_,
                   [&](std::uint32_t v, std::optional<Literal> condition) {
                     if (commit(v) > commit(fact.writer)) {
                       add(condition ? space_.both(fact.holds, *condition) : fact.holds);
                     }
                   });
    } else {
      for (const WriteFact& write : writes_[fact.key.index()]) {
        if (write.txn != fact.txn && write.txn != fact.writer &&
            commit(write.txn) > commit(fact.writer) && commit(write.txn) < start(fact.txn)) {
          add(space_.both(fact.holds, write.holds));
        }
      }
    }
  }

  void add_overlaps() {
    for (const std::vector<WriteFact>& writes : writes_) {
      for (std::size_t i = 0; i < writes.size(); ++i) {
        for (std::size_t j = i + 1; j < writes.size(); ++j) {
          if (start(writes[i].txn) < commit(writes[j].txn) &&
              start(writes[j].txn) < commit(writes[i].txn)) {
            add(space_.both(writes[i].holds, writes[j].holds));
          }
        }
      }
    }
  }

  const Observation& observation_;
  const HappensBefore& happens_before_;
  Visibility level_;
  const std::vector<std::uint32_t>& places_;
  PredictionSpace& space_;
  std::vector<std::vector<WriteFact>> writes_;  // by key
  std::set<std::uint32_t> said_;
  std::vector<Literal> clause_;
};

}  // namespace

std::vector<Literal> not_explained_by(const Observation& observation,
                                      const HappensBefore& happens_before, Visibility level,
                                      const EventOrder& order, PredictionSpace& space) {
  return Breaches(observation, happens_before, level, order, space).find();
}

}  // namespace elapid::predict
