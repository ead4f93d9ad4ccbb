// Package leaks asks what observers learn about the goal of flights.
//
// [New] checks a [Request] and returns a question for campaign.Program.Do. Package sim/leak computes the bits.
package leaks
