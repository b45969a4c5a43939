(ns jepsen.tests.cycle.append
  "Stands in for Jepsen's namespace of this name, as it is since Jepsen 0.3.13."
  (:refer-clojure :exclude [test]))

(defn test [options]
  {:generator [:generated options], :final-generator :final-reads, :checker :of-elle})
