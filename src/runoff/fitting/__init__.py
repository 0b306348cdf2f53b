"""What every fit needs: progress, checkpoints, an optimiser, the choice of priors."""
