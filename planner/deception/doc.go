// Package deception holds ways to hide the goal of a mission that give no guarantee: an observer who knows them, or who
// predicts vehicles by another model than they assume, may learn the goal. They serve as a comparison for the
// mechanisms of package privacy. Each is a planner.Mechanism:
//
//   - soft: the entropy-regularised policy;
//   - pi_d1 to pi_d4: the paths of Masters and Sardina (Deceptive path-planning, IJCAI 2017);
//   - exaggeration and ambiguity: the policies of Savas, Verginis and Topcu (Deceptive decision-making under
//     uncertainty, AAAI 2022, arXiv 2109.06740).
//
// None depends on epsilon. Each plan follows from the mission, except for the draws of a stochastic policy, and is
// computed once for a mission.
//
// # Assumptions and limitations
//
// All but soft need a mission on a grid. They deceive the observer whom they assume, who expects cheap paths. A bogus
// goal has no effect on an observer who considers it impossible.
package deception
