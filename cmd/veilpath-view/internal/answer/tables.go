package answer

// NoCurve says why nothing is known along epsilon.
func (a *Answers) NoCurve() string {
	if recorded := a.Model.RecordedAt(); recorded != "" {
		return "No curve: a command made these flights, and they are recorded at epsilon " + recorded + " only."
	}
	return "No curve with " + a.Apart() + ": each ε is flown by itself."
}
