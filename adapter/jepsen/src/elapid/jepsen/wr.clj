(ns elapid.jepsen.wr
  "Stands in for jepsen.tests.cycle.wr: transactions of reads and writes of registers, checked by elapid
  instead of Elle. In a test, require this namespace in place of that one."
  (:refer-clojure :exclude [test])
  (:require [elapid.jepsen :as elapid]))

(defn checker
  "A checker of rw-register histories. Takes Elle's options, and those of elapid.jepsen/checker;
  options that belong to a generator are passed over."
  ([] (checker {}))
  ([options] (elapid/standing-in :rw-register options)))

(defn gen
  "The generator of such transactions: Jepsen's, or since Jepsen 0.3.13, which has none, Elle's."
  [options]
  ((or (requiring-resolve 'jepsen.tests.cycle.wr/gen) (requiring-resolve 'elle.rw-register/gen)) options))

(defn test
  "A part of a test: Jepsen's own, with our checker."
  [options]
  (assoc ((requiring-resolve 'jepsen.tests.cycle.wr/test) options) :checker (checker options)))
