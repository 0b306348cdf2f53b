"""The spine of training: plan, work folder, steps, folds, a base system with its ranker."""
