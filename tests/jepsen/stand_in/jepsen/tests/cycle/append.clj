(ns jepsen.tests.cycle.append
  "Stands in for Jepsen's namespace of this name, whose generator the adapter hands on.")

(defn gen [options]
  [:generated options])
