const char* const kSearch = "the search ended (-s)";
