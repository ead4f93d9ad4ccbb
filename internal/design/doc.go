// Package design answers what a designer of private rewards asks before choosing an epsilon: how much noise a guarantee
// takes, what it does to rewards, goals and sweeps of a planner, what it does not hide, and which epsilon keeps an
// error or a goal. A [Question] becomes numbers with names and meanings.
package design
