// Package reproduce recomputes every table, figure and number of the paper (arXiv 2309.12476) and judges for each
// number whether it agrees.
//
// An Item is one table or figure. Its quantities, the numbers of one curve or one claim, are rows of the table in
// forms.go: where the paper prints the numbers, how they are judged, and one or more readings of the paper that may
// have produced them. The first reading follows the paper and fills in what it leaves open; the others make one named
// change. All readings are computed. Judge picks a reading and gives every number an Agreement, by the rules in
// judge.go; no agreement is stored.
//
// # Assumptions and limitations
//
// Published values are taken from the paper's source, where curves have up to 16 digits. Sampling errors of
// published means are estimated from our samples and the paper's sample sizes. If the paper does not state a size,
// a named constant holds the size inferred from the scatter of the curve. Readings were found by search; a reading
// not tried here may fit as well.
package reproduce
