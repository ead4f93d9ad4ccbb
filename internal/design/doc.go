// Package design helps to choose an epsilon for private rewards. It computes how much noise a guarantee needs, how
// the noise changes rewards, goals and the sweeps of a planner, what the noise does not hide, and which epsilon
// keeps an error or a goal. [Question.Answer] returns these numbers with their names and meanings.
package design
