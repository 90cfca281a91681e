"""Own data in, advice out: what a file of outcomes says about learning (`advise`)."""
