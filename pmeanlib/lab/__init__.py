"""Long work: sweeps, kept pieces, Table 2, benchmarks and the command line."""
