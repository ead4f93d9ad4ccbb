// Package deception holds ways to hide the goal of a mission that give no guarantee: whoever knows them, or has
// another idea of how a vehicle goes to its goal than they suppose, may learn all. They stand beside the
// mechanisms of package privacy for comparison. Each is a planner.Mechanism in a file of its own:
//
//   - soft: the entropy-regularised policy;
//   - pi_d1 to pi_d4: the paths of Masters and Sardina (Deceptive path-planning, IJCAI 2017);
//   - exaggeration and ambiguity: the policies of Savas, Verginis and Topcu (Deceptive decision-making under
//     uncertainty, AAAI 2022, arXiv 2109.06740).
//
// None depends on epsilon, and all but the draws of a stochastic policy follow from the mission, so each is made
// once a mission.
//
// # Assumptions and limitations
//
// All but soft take a mission on a grid, and deceive an observer of their own: one who takes vehicles to go short
// ways. That they name a bogus goal changes nothing for an observer who does not deem it possible.
package deception
