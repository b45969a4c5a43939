(ns elapid.jepsen.append
  "Stands in for jepsen.tests.cycle.append: transactions of reads and appends to lists, checked by
  elapid instead of Elle. In a test, require this namespace in place of that one."
  (:refer-clojure :exclude [test])
  (:require [elapid.jepsen :as elapid]))

(defn checker
  "A checker of list-append histories. Takes Elle's options, and those of elapid.jepsen/checker;
  options that belong to a generator are passed over."
  ([] (checker {}))
  ([options] (elapid/standing-in :list-append options)))

(defn gen
  "The generator of such transactions: Jepsen's, or since Jepsen 0.3.13, which has none, Elle's."
  [options]
  ((or (requiring-resolve 'jepsen.tests.cycle.append/gen) (requiring-resolve 'elle.list-append/gen)) options))

(defn test
  "A part of a test: Jepsen's own, with our checker."
  [options]
  (assoc ((requiring-resolve 'jepsen.tests.cycle.append/test) options) :checker (checker options)))
