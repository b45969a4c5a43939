// Cycles of transactions: one of certain steps, or one for each way to decide open choices.
//
// If a history leaves a choice open, a proof splits it into cases: "If T1 saw T2's 1 of key :x"
// leads to a cycle, "if T1 saw T4's" to another, and no third transaction wrote 1. Orders of
// writers that the proof has shown are numbered, so that later steps can refer to them.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "engine/evidence/kinds.h"
#include "engine/evidence/steps.h"

namespace elapid {
namespace {

/// A read whose writer a proof looks for, and the writers that it rules out.
struct OpenRead {
  Choice read;
  std::vector<TxnId> excluded = {};
};

bool is_of(const OpenRead& open, const Choice& choice) {
  return open.read.first == choice.first && open.read.key == choice.key &&
         open.read.length == choice.length;
}

class ProofTeller {
 public:
  ProofTeller(std::span<const ProvedChoice> proof, Story& story)
      : proof_(proof), story_(story), history_(story.history()) {}

  /// All claims. `last` is the cycle that holds in every case; it is empty if the end of the proof
  /// tells it.
  void tell(std::span<const Step> last) {
    const std::optional<OpenRead> exhausted = exhausted_read();
    if (exhausted) {
      story_.claim("{} read key {} = {}, which {} wrote.", story_.actor(exhausted->read.first),
                   story_.key(exhausted->read.key), *value_of(exhausted->read),
                   sources(exhausted->excluded));
    }
    for (const ProvedChoice& proved : proof_) {
      if (!proved.clause.empty()) {
        tell(proved);
      } else if (!proved.steps.empty()) {
        last = proved.steps;
      }
    }
    for (Claim& claim : chain(last, known_, story_)) {
      story_.claim(std::move(claim));
    }
    if (last.empty() && exhausted) {
      story_.claim("However, no other transaction wrote {} to key {}: a contradiction!",
                   *value_of(exhausted->read), story_.key(exhausted->read.key));
    } else if (last.empty()) {
      story_.claim("However, no choice is left: a contradiction!");
    }
  }

 private:
  void tell(const ProvedChoice& proved) {
    const bool is_single = proved.clause.size() == 1;
    const Choice& first = proved.clause.front();
    Phrase label;
    if (is_single && first.kind == Choice::Kind::kBefore) {
      label = phrase("({}) ", std::to_string(known_.proved.size() + 1));
    }
    Claim claim;
    if (proved.steps.empty()) {
      claim.says = phrase("{}Hence {}.", label, any_of(proved.clause));
    } else {
      known_.assumed = contrary(proved.clause);
      const bool is_case = is_single && !first.holds;
      claim.says = is_case ? phrase("If {}:", words(known_.assumed.front()))
                           : phrase("{}{}, for otherwise:", label, any_of(proved.clause));
      claim.steps = chain(proved.steps, known_, story_);
      known_.assumed.clear();
    }
    story_.claim(std::move(claim));
    if (!label.empty()) {
      known_.proved.push_back(first);
    }
  }

  /// The choices that hold if none of these does.
  [[nodiscard]] static std::vector<Choice> contrary(std::vector<Choice> clause) {
    for (Choice& choice : clause) {
      if (choice.kind == Choice::Kind::kBefore) {
        std::swap(choice.first, choice.second);
      } else {
        choice.holds = !choice.holds;
      }
    }
    return clause;
  }

  Phrase any_of(const std::vector<Choice>& clause) {
    Phrase all;
    for (const Choice& choice : clause) {
      all = all.empty() ? words(choice) : phrase("{}, or {}", std::move(all), words(choice));
    }
    return all;
  }

  Phrase words(const Choice& choice) {
    const ActorPart first = story_.actor(choice.first);
    switch (choice.kind) {
      case Choice::Kind::kBefore:
        return phrase(wrote(choice.first) && wrote(choice.second) ? "{} wrote before {}"
                                                                  : "{} committed before {}",
                      first, story_.actor(choice.second));
      case Choice::Kind::kReads:
        return words_of_read(choice, first);
      case Choice::Kind::kTookEffect:
        break;
    }
    return phrase(choice.holds ? "{} took effect" : "{} did not take effect", first);
  }

  [[nodiscard]] bool wrote(TxnId txn) const {
    return std::ranges::any_of(history_.ops(txn), [](Op op) { return !op.is_read(); });
  }

  Phrase words_of_read(const Choice& choice, ActorPart reader) {
    const ValuePart key = story_.key(choice.key);
    if (choice.length > 0 && history_.has_lists()) {
      return phrase("the first {} elements of key {} that {} read {} with those of {}",
                    std::to_string(choice.length), key, reader, choice.holds ? "end" : "do not end",
                    source(choice.second));
    }
    const std::string saw = choice.holds ? "saw" : "did not see";
    if (choice.length > 0) {
      return phrase("read {} of key {} by {} {} what {} left", std::to_string(choice.length + 1),
                    key, reader, saw, source(choice.second));
    }
    if (const std::optional<ValuePart> value = value_of(choice)) {
      return choice.second.is_none()
                 ? phrase("{} {} the initial {} of key {}", reader, saw, *value, key)
                 : phrase("{} {} {}'s {} of key {}", reader, saw, source(choice.second), *value,
                          key);
    }
    return phrase("{} {} key {} as {} left it", reader, choice.holds ? "read" : "did not read", key,
                  source(choice.second));
  }

  /// Names the writer, with what it wrote in sight, or "no transaction".
  Phrase source(TxnId writer) {
    return writer.is_none() ? as_phrase("no transaction") : as_phrase(story_.actor(writer));
  }

  SeriesPart sources(const std::vector<TxnId>& writers) {
    return Story::series(writers, [this](TxnId txn) {
      return txn.is_none() ? as_phrase("no transaction (the initial state)") : source(txn);
    });
  }

  /// The register's value that the read of a choice returned, if it is the transaction's first.
  std::optional<ValuePart> value_of(const Choice& choice) {
    const std::span<const Op> ops = history_.ops(choice.first);
    const auto read = std::ranges::find_if(
        ops, [&](Op op) { return op.kind() == OpKind::kRead && op.key() == choice.key; });
    if (choice.length > 0 || history_.has_lists() || read == ops.end()) {
      return std::nullopt;
    }
    story_.actor(choice.first, static_cast<std::int32_t>(read - ops.begin()));
    show_writes(choice.second, choice.key, read->value());
    return ValuePart{read->value()};
  }

  void show_writes(TxnId writer, KeyId key, ValueId value) {
    if (!writer.is_none()) {
      story_.actor(writer);
      story_.focus_on_write(representative_ref(history_, writer), key, value);
    }
  }

  /// A read for which the proof excludes every writer.
  std::optional<OpenRead> exhausted_read() {
    std::vector<OpenRead> reads;
    for (const ProvedChoice& proved : proof_) {
      if (proved.clause.size() == 1 && proved.clause.front().kind == Choice::Kind::kReads &&
          !proved.clause.front().holds) {
        const Choice& choice = proved.clause.front();
        auto known =
            std::ranges::find_if(reads, [&](const OpenRead& open) { return is_of(open, choice); });
        known = known == reads.end() ? reads.insert(known, {.read = choice}) : known;
        known->excluded.push_back(choice.second);
      }
    }
    const auto found =
        std::ranges::find_if(reads, [this](const OpenRead& open) { return is_exhausted(open); });
    return found == reads.end() ? std::nullopt : std::optional(*found);
  }

  [[nodiscard]] bool is_exhausted(const OpenRead& open) {
    const std::span<const Op> ops = history_.ops(open.read.first);
    const auto read = std::ranges::find_if(
        ops, [&](Op op) { return op.kind() == OpKind::kRead && op.key() == open.read.key; });
    if (open.read.length > 0 || history_.has_lists() || read == ops.end()) {
      return false;
    }
    const auto is_excluded = [&](TxnId txn) {
      return std::ranges::find(open.excluded, txn) != open.excluded.end();
    };
    if (history_.is_initial(read->value()) && !is_excluded(TxnId::none())) {
      return false;
    }
    for (TxnId txn{0}; txn.index() < history_.txn_count(); ++txn.value) {
      const bool may_write = txn != open.read.first && history_.status(txn) != TxnStatus::kAborted;
      if (may_write && !is_excluded(txn) && writes(txn, open.read.key, read->value())) {
        return false;
      }
    }
    return true;
  }

  [[nodiscard]] bool writes(TxnId txn, KeyId key, ValueId value) const {
    return std::ranges::any_of(history_.ops(txn), [&](Op op) {
      return op.is_write() && op.key() == key && op.value() == value;
    });
  }

  std::span<const ProvedChoice> proof_;
  Story& story_;
  const History& history_;
  KnownOrders known_ = {};
};

void tell_walk(std::span<const Step> steps, Story& story) {
  for (Claim& claim : chain(steps, {}, story)) {
    story.claim(std::move(claim));
  }
}

}  // namespace

void tell_proof(std::span<const ProvedChoice> proof, Story& story) {
  ProofTeller(proof, story).tell(std::span<const Step>());
}

void tell(const CycleEvidence& evidence, Story& story) {
  if (evidence.because.empty()) {
    tell_walk(evidence.steps, story);
  } else {
    ProofTeller(evidence.because, story).tell(evidence.steps);
  }
}

void tell(const CycleExistsEvidence& evidence, Story& story) {
  story.gloss(evidence.because.empty() ? "dependencies that run in a cycle"
                                       : "no order of the transactions explains what they read");
  if (!evidence.walk.empty()) {
    tell_walk(evidence.walk, story);
  } else if (!evidence.because.empty()) {
    ProofTeller(evidence.because, story).tell(std::span<const Step>());
  } else {
    story.claim("Under {}, the dependencies among the transactions at {} must have an order.",
                friendly_name(evidence.model), TxnsPart{evidence.component});
    story.claim("However, they run in a cycle: a contradiction!");
  }
}

}  // namespace elapid
