// Package irl rebuilds rewards from what is seen of plans that were made for them: inverse reinforcement learning. It
// is the observer against whom a private reward is meant, and measures what it finds: [EPIC] and [Problem.Rebuild].
package irl
