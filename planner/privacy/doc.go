// Package privacy is the differential privacy of reward functions.
package privacy
