// Files of evidence that can be verified without the engine that found it: docs/certificates.md.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "engine/certify/predictions/no_prediction.h"
#include "engine/ir/history.h"
#include "engine/ir/result.h"
#include "engine/verdict/judge_request.h"
#include "engine/verdict/rows_evidence.h"
#include "engine/verdict/verdict.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/bytes/output.h"

namespace elapid {

/// The word in place of a model.
inline constexpr std::string_view kByTransactionWord = "by-transaction";

/// Assumptions about keys, in the words of their flags.
inline constexpr std::array<std::pair<std::string_view, bool Assumptions::*>, 3> kKeyAssumptions = {
    {{"wfr-keys", &Assumptions::wfr_keys},
     {"sequential-keys", &Assumptions::sequential_keys},
     {"linearizable-keys", &Assumptions::linearizable_keys}}};

/// The claim of a file about one history at one level, and its proof.
struct Certificate {
  Model model = Model::kPl3;
  bool by_transaction = false;  ///< instead: each transaction's own level in the history
  Workload workload = Workload::kRwRegister;
  std::string key = {};  ///< the independent key whose history it is, as printed EDN; or empty
  std::uint64_t transactions = 0;  ///< of the history, to recognise another one
  std::uint64_t operations = 0;
  Assumptions assumptions = {};  ///< about keys and transactions
  /// Valid, or invalid: the third type for rows, the last for objects (object_claims.h). The
  /// fourth: the model allows no prediction.
  std::variant<Witness, Refutation, RowsProofEvidence, certify::NoPrediction, ExhaustedSearch>
      evidence = {};
  /// The first transaction or key in the evidence that the history lacks, and its place in the
  /// file: then nothing is proved.
  std::optional<Error> unknown_name = {};
};

/// Writes a file of certificates. The file exists after commit(), and is then whole.
class CertificateWriter {
 public:
  /// Errors of OutputFile::create.
  static Result<CertificateWriter> create(const std::string& path);

  /// Adds the answers of a verdict that are valid or invalid. An invalid answer that single reads
  /// show has no refutation; it is written as a proof of one step, which certify finds for itself.
  /// For rows an invalid answer without a proof is left out. Returns whether there is a
  /// certificate of what the verdict says; true if that is nothing.
  bool add(const History& history, std::string_view key, const Verdict& verdict);

  Status commit() { return file_.commit(); }

 private:
  explicit CertificateWriter(OutputFile file) : file_(std::move(file)) {}

  OutputFile file_;
};

/// Writes the certificates of one history's verdict into a file.
Status write_certificates(const std::string& path, const History& history, const Verdict& verdict);

/// Writes the certificate that `level` allows no execution of the history's sessions that violates
/// `target`. Error: of the file.
Status write_no_prediction(const std::string& path, const History& history, Model level,
                           Model target, const certify::NoPrediction& claim);

/// Finds the history of an independent key, or the only one; null if there is none.
using FindHistory = std::function<const History*(std::string_view key)>;

/// Reads certificates of these histories; keys are looked up in them. Error: kUnreadable, or
/// kMalformed with line and column. Does not verify the proofs.
Result<std::vector<Certificate>> read_certificates(const std::string& path,
                                                   const FindHistory& find_history);

/// Reads an open source, which is borrowed.
Result<std::vector<Certificate>> read_certificates(ByteSource& source,
                                                   const FindHistory& find_history);

/// Why the certificate proves nothing about the history, in one sentence; nothing if it proves its
/// claim. `objects`: the meaning of operations on objects (settings, failed_cas).
[[nodiscard]] std::optional<std::string> flaw_of(const Certificate& certificate,
                                                 const History& history,
                                                 const JudgeRequest& objects = {});

}  // namespace elapid
