package configs

// mergeLayers does without viper in a page: viper is a fifth of its size, and a page reads no files.
func mergeLayers(layers []layer) map[string]any { return mergeMaps(layers) }
