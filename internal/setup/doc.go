// Package setup builds experiments, studies and the paper's examples from settings. It is the only package that
// knows both the keys of configs and the fields that they set. A test changes every key and checks that exactly
// the intended field changes.
package setup
