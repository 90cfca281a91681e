"""`python -m pmeanlib`: the command line is in the lab."""

import sys

from pmeanlib.lab.cli import main

if __name__ == "__main__":
    sys.exit(main())
