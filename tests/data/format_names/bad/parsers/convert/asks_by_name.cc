bool is_fax = target.format->name == "fax:group-3";
bool is_edn = syntax == "edn";  // a syntax, which is no format's alone
