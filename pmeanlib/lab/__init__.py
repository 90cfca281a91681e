"""Long work: sweeps, runs until an error bar is small, the store of what is done."""
