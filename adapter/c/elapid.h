// elapid.h: the checker for programs in C, and in every language that can call C.
//
// A checker is given options and a history, and answers with verdicts:
//
// ```cpp
// const char line[] = "{\"type\": \"ok\", \"process\": 0, \"value\": [[\"append\", \"x\", 1]]}";
// elapid_checker* checker = elapid_open();
// elapid_set(checker, "levels", "snapshot-isolation");
// elapid_line(checker, line, strlen(line));  // each event: docs/recorder-format.md
// if (elapid_check(checker) != ELAPID_OK) {
//   fprintf(stderr, "%s\n", elapid_error(checker));
// } else if (elapid_validity(checker, 0) == ELAPID_INVALID) {
//   fputs(elapid_explanation(checker, 0), stderr);
// }
// CHECK(elapid_validity(checker, 0) == ELAPID_VALID);
// elapid_close(checker);
// ```
//
// (CHECK is Elapid's tests', which run this.) examples/embed-c/main.c is a whole program, and
// docs/install.md says how to link it.
//
// Nothing here throws, prints, ends the program or keeps anything outside of checkers. Several
// threads may use a checker each; one checker is for one thread at a time. Unless an option limits
// time or memory no clock is read, and the same history and options give the same answers, byte by
// byte.
//
// Every function takes NULL for a checker: it then does nothing, and answers as after ELAPID_USAGE.
// The text behind a `const char*` belongs to the checker.
#ifndef ELAPID_H_
#define ELAPID_H_

#include <stddef.h>

#if defined(__GNUC__)
#define ELAPID_API __attribute__((visibility("default")))
#else
#define ELAPID_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

// What came of a call: the exit codes of the program.
typedef enum elapid_status {
  ELAPID_OK = 0,
  ELAPID_USAGE = 64,       // the request makes no sense
  ELAPID_MALFORMED = 65,   // the history is not what its format promises
  ELAPID_UNREADABLE = 66,  // the history cannot be opened or read
  ELAPID_INTERNAL = 70,    // a bug, or the memory ran out while reading
  ELAPID_CANCELLED = 130   // elapid_cancel() was called
} elapid_status;

// What a history is, at the levels demanded: the exit codes of the program, and -1.
typedef enum elapid_verdict {
  ELAPID_NONE = -1,    // there is no such history, or nothing was checked
  ELAPID_VALID = 0,    // the levels demanded can explain it
  ELAPID_INVALID = 1,  // they cannot, and there is evidence
  ELAPID_UNKNOWN = 2   // neither was shown: elapid_json() says why
} elapid_verdict;

typedef struct elapid_checker elapid_checker;

// The version of the library, as "0.1.0".
ELAPID_API const char* elapid_version(void);

// A new checker. NULL: there is no memory.
ELAPID_API elapid_checker* elapid_open(void);

// Frees a checker and every text that it gave.
ELAPID_API void elapid_close(elapid_checker* checker);

// Sets an option for the checks to come: the name is that of a flag of `elapid check`, without
// dashes; the value is what one would write behind it, of at most 1 MiB and not empty, "true" or
// "false" for flags that stand alone. These there are:
//   levels anomalies engine clock-skew cross-check elle-compat failed-cas
//   accounts total-amount negative-balances group-size key-count linearizable-elements
//   lock lock-limit sub-via ww-deps availability
//   wfr-keys sequential-keys linearizable-keys
//   work cycle-search-timeout timeout memory threads
//   format model initial independent salvage max-line
// Without levels strict serializability is demanded, or of whole transactions without times, which
// tell no real time, strong session serializability.
// Unlike the program's, checks have no limit of memory unless one is set, and one thread.
// ELAPID_USAGE: there is no such option or value; everything stays as it was.
ELAPID_API elapid_status elapid_set(elapid_checker* checker, const char* name, const char* value);

// Adds a line of the recorder format, without its newline, behind those that there are: a header,
// an event or a whole transaction. What it says is looked at by elapid_check(). ELAPID_USAGE: it
// has a newline within it.
ELAPID_API elapid_status elapid_line(elapid_checker* checker, const char* line, size_t length);

// Forgets all lines and verdicts. The options stay.
ELAPID_API void elapid_clear(elapid_checker* checker);

// Each of these checks histories, and replaces the verdicts that there were. After an error,
// ELAPID_USAGE included, there are none, and elapid_error() says what is wrong, and where.

// The lines so far. More may be added, and checked with them. In errors they are called `history`.
ELAPID_API elapid_status elapid_check(elapid_checker* checker);

// A file or a directory that is a history, in any format that `elapid check` reads; `-` is standard
// input.
ELAPID_API elapid_status elapid_check_file(elapid_checker* checker, const char* path);

// The same of bytes in memory, which are not compressed. They are copied. In errors they are called
// `history`.
ELAPID_API elapid_status elapid_check_memory(elapid_checker* checker, const char* bytes,
                                             size_t length);

// Ends the check that runs, or else the next one: it gives ELAPID_CANCELLED, and there are no
// verdicts. It ends within moments, and where it searches through the states of an object
// (docs/objects.md), whose work is limited, within seconds. Alone of all functions it may be called
// while another thread uses the checker, which it must not close meanwhile. Not safe in handlers of
// signals.
ELAPID_API void elapid_cancel(elapid_checker* checker);

// What is wrong with the last call that failed, in one line of at most 4 KiB that begins with the
// place, as `history:3:17:`. Empty if none has. Valid until the next call that fails.
ELAPID_API const char* elapid_error(const elapid_checker* checker);

// How many histories were checked: one, or with the option `independent` one a key.
ELAPID_API size_t elapid_history_count(const elapid_checker* checker);

// The verdict on one of them, counted from 0.
ELAPID_API elapid_verdict elapid_validity(const elapid_checker* checker, size_t history);

// The texts below are made when they are first asked for, and valid until the verdicts are replaced
// or forgotten. NULL: there is no such history, or no memory.

// The result map, as `elapid check -o json` prints it (docs/result-map.md).
ELAPID_API const char* elapid_json(elapid_checker* checker, size_t history);

// What was found, in words, as `elapid check` prints it below the verdict. Empty for a valid
// history.
ELAPID_API const char* elapid_explanation(elapid_checker* checker, size_t history);

// A file of the report, as `elapid check -d` writes it (docs/report.md): `report.html`,
// `summary.txt`, `summary.md`, `findings/1.txt`, `findings/1.md` and the pictures `findings/1.svg`
// and `findings/1.dot`; `report.json` has levels and findings for programs
// (adapter/report/forms/report_json.h). NULL also if the report has no such file: a finding that
// is not there, or has no picture. With the option `elle-compat` there is no report.
ELAPID_API const char* elapid_report(elapid_checker* checker, size_t history, const char* file);

// The key whose history it is, as EDN, in which U+0000 is written \u0000; empty without the option
// `independent`.
ELAPID_API const char* elapid_key(const elapid_checker* checker, size_t history);

#ifdef __cplusplus
}
#endif

#endif  // ELAPID_H_
