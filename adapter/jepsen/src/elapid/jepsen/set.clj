(ns elapid.jepsen.set
  "Stands in for jepsen.checker/set: adds to a set, and a final read that shows which were lost."
  (:require [elapid.jepsen :as elapid]))

(defn checker
  "A checker of set histories. The answer has the keys of Jepsen's. Options: those of
  elapid.jepsen/checker."
  ([] (checker {}))
  ([options] (elapid/checker (assoc options :model :set))))
