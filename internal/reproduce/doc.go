// Package reproduce recomputes every table, figure and number of the paper (arXiv 2309.12476) and judges for each
// number whether it agrees.
//
// An Item is one table or figure. It has quantities: the numbers of one curve or one claim, with one or more
// readings of the paper that may have produced them. The first reading follows the paper and fills in what it
// leaves open; the others make one named change. All readings are computed. Judge picks a reading and gives every
// number an Agreement, by the rules in agreement.go; no agreement is stored. An item also has figures, and
// findings, which are results that the paper does not have. The item others judges what could be read of two other
// papers, as Statements: their numbers could not be read.
//
// WriteComparison writes the numbers as CSV. WriteReport writes everything as one page of HTML.
//
// # Assumptions and limitations
//
// Published values are taken from the paper's source, where curves have up to 16 digits. Sampling errors of
// published means are estimated from our samples and the paper's sample sizes. If the paper does not state a size,
// a named constant holds the size inferred from the scatter of the curve. Readings were found by search; a reading
// not tried here may fit as well.
package reproduce
