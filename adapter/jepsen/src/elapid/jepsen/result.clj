(ns elapid.jepsen.result
  "What comes of a check: the program's result map, or one that says why there is none."
  (:require [clojure.edn :as edn]
            [clojure.java.io :as io]
            [clojure.string :as str]
            [elapid.jepsen.command :as command])
  (:import (java.io File PushbackReader Reader)))

(def ^:private max-result-bytes
  "More than any result that the program was asked for."
  4000000)

(def ^:private max-text 65536)
(def ^:private max-line 500)
(def ^:private max-lines 20)

(defn unknown
  "An answer that says why there is no verdict, where checkers of Jepsen say it and where elapid does."
  [reason]
  (with-meta {:valid? :unknown, :error reason, :elapid/unknown-because reason}
    {::failed? true}))

(defn failed?
  "Whether the answer says why the program gave none. Unknown may be an answer of the program's, too."
  [answer]
  (::failed? (meta answer)))

(def ^:private first-keys
  [:valid? :error :disagreement :anomaly-types :anomalies :not :also-not])

(defn ordered
  "The answer as people read it, its verdict first. Jepsen prints maps in their own order."
  [answer]
  (let [place (zipmap first-keys (range))]
    (with-meta (apply array-map (mapcat identity (sort-by (fn [[k _]] [(place k 100) (str k)]) answer)))
      (meta answer))))

(defn message
  "What a Throwable says, on one line."
  [^Throwable e]
  (first (str/split-lines (str (.getSimpleName (class e)) ": " (.getMessage e)))))

(defn- shortened [line]
  (if (< max-line (count line)) (str (subs line 0 max-line) "…") line))

(defn- beginning
  "The first characters of a file, however large it is."
  [^File file]
  (with-open [in (io/reader file :encoding "UTF-8")]
    (let [buffer (char-array max-text)
          n      (.read ^Reader in buffer)]
      (String. buffer 0 (max n 0)))))

(defn- first-lines
  "The first lines of a text file, made harmless for terminals."
  [^File file]
  (into [] (comp (remove str/blank?)
                 (take max-lines)
                 (map #(shortened (str/replace % #"[\p{Cntrl}\p{Cf}\u2028\u2029]" "�"))))
        (when (.isFile file)
          (str/split-lines (beginning file)))))

(def ^:private exit-reasons
  {64 "it does not understand what was asked"
   65 "the history is malformed"
   66 "a file cannot be read or written"
   70 "it failed, or what it says cannot be written"})

(defn- exit-reason [code]
  (cond
    (exit-reasons code)  (exit-reasons code)
    (< 128 code 193)     (str "signal " (- code 128) " ended it")
    :else                "it should not"))

(defn- complaint
  "The line that tells of an error, if one does; it comes after the notes."
  [lines]
  (or (last (filter #(str/starts-with? % "elapid: ") lines))
      (last lines)))

(defn- failure
  "An answer for a process without a result."
  [reason {:keys [err]} command]
  (let [said (first-lines err)]
    (cond-> (assoc (unknown (if-let [line (complaint said)] (str reason ": " line) reason))
                   :elapid/command (vec command))
      (seq said) (assoc :elapid/notes said))))

(defn- not-started [binary error]
  (unknown (str binary " cannot be run (" error "). Install elapid, or say where it is with :binary "
                "or the environment variable ELAPID_BIN")))

(defn- killed [limit-ms]
  (format "it was still running after %.1f s and was killed (:timeout-s and :grace-s)"
          (/ limit-ms 1000.0)))

(defn- minor-version [text]
  (second (re-find #"^elapid (\d+\.\d+)\.\d+" (str text))))

(defn version-failure
  "Why the program, which was asked for its version, is not to be used; nil if it is."
  [{:keys [out exit error limit-ms] :as process} binary]
  (let [said (when exit (first (first-lines out)))]
    (cond
      error     (not-started binary error)
      limit-ms  (unknown (str binary " --version: " (killed limit-ms)))
      (= (minor-version said) (minor-version (str "elapid " command/version))) nil
      :else     (unknown (str binary " is not elapid " command/version " or a later one of its kind: "
                              "asked for its version it ended with " exit " and said "
                              (pr-str (or said (first (first-lines (:err process))))))))))

(defn usage-failure
  "What the program, which was asked whether it understands options, says against them; nil if it does,
  and where it could not be asked."
  [{:keys [exit err]}]
  (when (= 64 exit)
    (or (complaint (first-lines err)) (exit-reasons exit))))

(defn- plain
  "Tagged values as text, since Jepsen stores results in a format that knows no tags."
  [tag value]
  (str "#" tag " " (pr-str value)))

(defn- read-map
  "The one map in a file. Throws."
  [^File file]
  (when (< max-result-bytes (.length file))
    (throw (IllegalArgumentException. (str (.length file) " bytes are too many"))))
  (with-open [in (PushbackReader. (io/reader file :encoding "UTF-8"))]
    (let [options  {:default plain, :eof ::end}
          answer   (edn/read options in)]
      (when-not (map? answer)
        (throw (IllegalArgumentException. "it is no map")))
      (when-not (= ::end (edn/read options in))
        (throw (IllegalArgumentException. "something follows the map")))
      answer)))

(def ^:private verdict-of-exit
  {0 true, 1 false, 2 :unknown})

(defn- agreed
  "The map, if the exit code says the same."
  [answer {:keys [exit err] :as process} command]
  (let [notes (first-lines err)]
    (cond
      (not= (:valid? answer) (verdict-of-exit exit))
      (failure (str "its exit code " exit " disagrees with :valid? " (pr-str (:valid? answer)))
               process command)

      (seq notes)  (assoc answer :elapid/notes notes)
      :else        answer)))

(defn- result-of
  "The answer of a process that ended as one that has a verdict does."
  [{:keys [out] :as process} command]
  (try
    (agreed (read-map out) process command)
    (catch Throwable e    ; a StackOverflowError, if lists are nested deeply enough
      (failure (str "its result cannot be read: " (message e)) process command))))

(defn of-process
  "The answer of a check that ran: see elapid.jepsen.process/run."
  [{:keys [exit error limit-ms] :as process} command]
  (cond
    error                             (not-started (first command) error)
    limit-ms                          (failure (killed limit-ms) process command)
    (contains? verdict-of-exit exit)  (result-of process command)
    :else                             (failure (str "elapid ended with exit code " exit ": "
                                                    (exit-reason exit))
                                               process command)))
