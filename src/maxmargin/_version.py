"""The version of the package. It is written here only: meson.build runs this file to read it."""

__version__ = "0.1.0.dev0"

if __name__ == "__main__":
    print(__version__)
