// Package setup builds what settings describe: the closed loop that is flown, the study of it, and the paper's
// other examples. It is the one place that knows both the keys of configs and the parts they set; a test
// changes every key and checks that it reaches the one field it names.
package setup
