"""The version of the package, which is that of the library that it calls."""

__version__ = "0.1.0"
