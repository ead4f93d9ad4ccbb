package screen

// heatNames are what can be painted as links and buttons call it, by Heat.
var heatNames = []string{"private", "true", "noise", "off", "belief"}
