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

/// In place of a model.
inline constexpr std::string_view kByTransactionWord = "by-transaction";

/// Assumptions about keys, in the words of their flags.
inline constexpr std::array<std::pair<std::string_view, bool Assumptions::*>, 3> kKeyAssumptions = {
    {{"wfr-keys", &Assumptions::wfr_keys},
     {"sequential-keys", &Assumptions::sequential_keys},
     {"linearizable-keys", &Assumptions::linearizable_keys}}};

/// What a file claims of one history at one level, and how it proves it.
struct Certificate {
  Model model = Model::kPl3;
  bool by_transaction = false;  ///< instead: the level that the history says of each transaction
  Workload workload = Workload::kRwRegister;
  std::string key = {};  ///< the independent key whose history it is, as printed EDN; or empty
  std::uint64_t transactions = 0;  ///< of the history, to tell another one
  std::uint64_t operations = 0;
  Assumptions assumptions = {};  ///< about keys and transactions
  /// Valid, or invalid; of rows the third one, of objects (object_claims.h) the last one. Or that
  /// the model allows no prediction.
  std::variant<Witness, Refutation, RowsProofEvidence, certify::NoPrediction, ExhaustedSearch>
      evidence = {};
  /// The first transaction or key in the evidence that the history does not have, and where it
  /// stands in the file: then nothing is proved.
  std::optional<Error> unknown_name = {};
};

/// Writes a file of certificates; it is there when commit() says so, and whole.
class CertificateWriter {
 public:
  /// Errors of OutputFile::create.
  static Result<CertificateWriter> create(const std::string& path);

  /// Adds the answers of a verdict that are valid or invalid. An invalid one without a refutation,
  /// shown by single reads, is written as a proof of one step, which certify finds for itself; of
  /// rows, one without a proof is left out.
  void add(const History& history, std::string_view key, const Verdict& verdict);

  Status commit() { return file_.commit(); }

 private:
  explicit CertificateWriter(OutputFile file) : file_(std::move(file)) {}

  OutputFile file_;
};

/// The certificates of one history's verdict, as a file.
Status write_certificates(const std::string& path, const History& history, const Verdict& verdict);

/// The certificate that `level` allows no execution of the history's sessions that violates
/// `target`. Error: of the file.
Status write_no_prediction(const std::string& path, const History& history, Model level,
                           Model target, const certify::NoPrediction& claim);

/// Finds the history of an independent key, or the only one; null if there is none.
using FindHistory = std::function<const History*(std::string_view key)>;

/// Reads certificates of these histories; keys are looked up in them. Error: kUnreadable, or
/// kMalformed with line and column. Whether the certificates prove anything is not looked at.
Result<std::vector<Certificate>> read_certificates(const std::string& path,
                                                   const FindHistory& find_history);

/// The same of a source that is open; it is borrowed.
Result<std::vector<Certificate>> read_certificates(ByteSource& source,
                                                   const FindHistory& find_history);

/// Why the certificate proves nothing of the history, in one sentence; nothing where it does.
/// `objects`: what operations on objects mean (settings, failed_cas).
[[nodiscard]] std::optional<std::string> flaw_of(const Certificate& certificate,
                                                 const History& history,
                                                 const JudgeRequest& objects = {});

}  // namespace elapid
