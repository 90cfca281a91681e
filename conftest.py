"""No progress bars while testing, in `pytest --nbval chapters` as in `make test`."""

import os

os.environ["TQDM_DISABLE"] = "1"  # notebook kernels inherit it
