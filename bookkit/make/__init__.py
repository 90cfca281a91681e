"""What `make` runs: each module is a command, `python -m bookkit.make.slides`."""
