// Package reproduce recomputes every table, figure and number of the paper (arXiv 2309.12476) and judges, number by
// number, what agrees.
//
// An Item is one table or figure. It yields quantities: the numbers of one curve or one claim, with one or more
// readings of the paper that could have made them. The first reading takes the paper at its word, or fills in what it
// leaves open; others make one named change. Every reading is computed. Judge picks one by a rule and gives every
// number an Agreement by another; both are in agreement.go, and no agreement is written down anywhere. An item also
// yields figures and findings, which are results that the paper does not have.
//
// WriteComparison writes the numbers as CSV and WriteReport everything as one page of HTML.
//
// # Assumptions and limitations
//
// Published values are taken from the paper's source, where curves have up to 16 digits. Sampling errors of published
// means are estimated from our own samples and the paper's sample sizes; where it does not state one, the size was
// inferred from the scatter of its curve and is a named constant. Readings were found by search: another one, not
// tried here, may fit as well.
package reproduce
