(ns elapid.jepsen.workloads
  "Checkers of single workloads, to stand in for those of Jepsen:

      (require '[elapid.jepsen.workloads :as elapid])

      {:bank (elapid/bank {:negative-balances? true})
       :set  (elapid/set-full {:linearizable? true})}

  Each takes the options of elapid.jepsen/checker, and none is needed: what a test's map says, as
  :accounts and :total-amount, is taken from there."
  (:require [elapid.jepsen :as elapid]))

(defmacro ^:private def-checkers
  "A function for each: its name, which is the model's, and the checker of Jepsen that has its keys."
  [& names-and-originals]
  `(do ~@(for [[checker original] (partition 2 names-and-originals)]
           `(defn ~checker
              ~(str "Stands in for " original ".")
              ([] (~checker {}))
              ([options#] (elapid/checker (assoc options# :model ~(keyword checker))))))))

(def-checkers
  bank               "jepsen.tests.bank/checker"
  counter            "jepsen.checker/counter"
  set-full           "jepsen.checker/set-full"
  queue              "jepsen.checker/queue"
  total-queue        "jepsen.checker/total-queue"
  unique-ids         "jepsen.checker/unique-ids"
  long-fork          "jepsen.tests.long-fork/checker"
  causal             "jepsen.tests.causal/check"
  causal-reverse     "jepsen.tests.causal-reverse/checker"
  comments           "the comments checker of CockroachDB's test"
  sequential         "the sequential checkers of CockroachDB's, TiDB's and Dgraph's tests"
  g2                 "jepsen.tests.adya/g2-checker"
  kafka              "jepsen.tests.kafka/checker"
  dirty-reads        "the checker of Galera's test"
  dirty-read         "the checker of Crate's test"
  monotonic-cockroach "the monotonic checker of CockroachDB's test"
  monotonic-faunadb  "the monotonic checker of FaunaDB's test"
  monotonic-tidb     "the monotonic checker of TiDB's test"
  cas-register       "jepsen.checker/linearizable with knossos.model/cas-register"
  multi-register     "jepsen.checker/linearizable with knossos.model/multi-register"
  mutex              "jepsen.checker/linearizable with knossos.model/mutex"
  fifo-queue         "jepsen.checker/linearizable with knossos.model/fifo-queue"
  unordered-queue    "jepsen.checker/linearizable with knossos.model/unordered-queue"
  grow-only-set      "jepsen.checker/linearizable with knossos.model/set")
