// Package job keeps work in a folder while it is under way.
//
// A Job is work whose answer depends on its manifest alone. Its pieces are done in a fixed order, and the results of
// the pieces are in a journal in the folder from the moment they are there. A job that is interrupted, killed or out of
// disk goes on after those results when it is run again. The journal goes once the answer is written. A job can be done
// in parts, for as many machines, and joined.
package job
