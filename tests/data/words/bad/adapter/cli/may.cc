const char* const kFlag = "--memory";
