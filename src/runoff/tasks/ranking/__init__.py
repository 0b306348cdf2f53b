"""The verbs over n-best lists: fit, rerank, why, evaluate, inspect, check, convert."""
