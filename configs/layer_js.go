package configs

// layered does without viper: what that can do with files is of no use to a page, and a fifth of its size.
func layered(layers []layer) map[string]any { return overlaid(layers) }
