# Makes a test case of each example in the headers named: awk -f extract.awk HEADER...
BEGIN {
  for (i = 1; i < ARGC; ++i) printf "#include \"%s\"\n", ARGV[i]
  print "namespace elapid {\nnamespace {"
}
FNR == 1 { number = 0 }
$0 == "// ```" && inside {
  inside = 0
  print "}"
}
inside {
  sub(/^\/\/ ?/, "")
  print
}
$0 == "// ```cpp" {
  inside = 1
  printf "TEST_CASE(\"example %d of %s\") {\n#line %d \"%s\"\n", ++number, FILENAME, FNR + 1, FILENAME
}
END { print "}\n}" }
