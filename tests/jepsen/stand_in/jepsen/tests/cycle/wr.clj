(ns jepsen.tests.cycle.wr
  "Stands in for Jepsen's namespace of this name, as it was before Jepsen 0.3.13."
  (:refer-clojure :exclude [test]))

(defn gen [options]
  [:generated options])

(defn test [options]
  {:generator (gen options), :checker :of-elle})
