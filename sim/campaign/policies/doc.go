// Package policies is the answer to a plan of a problem: its optimal policy, and private policies beside it.
package policies
