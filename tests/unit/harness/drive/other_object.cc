// A shared object that is no plug-in, for drivers_test.cc.
extern "C" __attribute__((visibility("default"))) const int elapid_something_else = 1;
