(defproject elapid/jepsen "0.1.0"
  :description "Jepsen checkers that let Elapid decide: isolation levels without the JVM's memory"
  :dependencies []
  ; Projects that test with Jepsen have Jepsen, and Clojure with it.
  :profiles {:provided {:dependencies [[org.clojure/clojure "1.11.1"]
                                       [jepsen "0.3.5"]]}})
