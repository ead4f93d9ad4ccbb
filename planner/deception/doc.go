// Package deception holds ways to hide the goal of a mission that give no guarantee: an observer who knows them, or who
// predicts vehicles by another model than they assume, may learn the goal. They serve as a comparison for the
// mechanisms of package privacy. Each is a planner.Mechanism:
//
//   - soft: the policy that is optimal for the rewards plus the temperature times the entropy of the moves;
//   - pi_d1 to pi_d4: the paths of Masters and Sardina (Deceptive path-planning, IJCAI 2017);
//   - exaggeration and ambiguity: the policies of Savas, Verginis and Topcu (Deceptive decision-making under
//     uncertainty, AAAI 2022, arXiv 2109.06740);
//   - misinformation: the policy of Chirra, Varakantham and Paruchuri (Preserving the privacy of reward functions in
//     MDPs through deception, ECAI 2024, arXiv 2407.09809).
//
// A path leads to a bogus goal, or to the last deceptive point, and then on a cheapest way to the true goal. The last
// deceptive point is on the cheapest paths from the bogus goal to the true one: it is the nearest waypoint to the true
// goal at which a bogus goal is at least as likely, by Recognition. The last three are linear programs in how often
// each move is made, at an expected cost of at most 1 + detour times the least.
//
// None depends on epsilon. Each plan follows from the mission, except for the draws of a stochastic policy, and is
// computed once for a mission.
//
// # Assumptions and limitations
//
// All but soft need a mission on a grid. They deceive the observer whom they assume, who expects cheap paths. A bogus
// goal has no effect on an observer who considers it impossible. misinformation is made to hide the reward; it feigns
// no goal, and an observer who knows it need not learn the goal later than without it.
//
// Only the beginnings of the papers of Masters and Sardina and of Chirra, Varakantham and Paruchuri were available, and
// a summary of that of Savas, Verginis and Topcu. The paths follow the authors' program
// (github.com/ssardina-research/p4-simulator-gr) except for the choice of the bogus goal, see
// RadiusOfMaximumProbability. The anti-reward of misinformation is that of the authors' program
// (github.com/shshnkreddy/DeceptiveRL), adapted to missions that end. None of the numbers in their tables was checked.
package deception
