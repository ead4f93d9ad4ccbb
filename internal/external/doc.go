// Package external runs users' commands as mechanisms and observers. A command is a line of sh whose process answers
// one line of JSON on standard input with one on standard output; assets/guide/exec.md is the protocol. A Command
// keeps as many processes as requests are made at once, which is one a worker.
//
// # Assumptions and limitations
//
// Nothing proves what a command says of its guarantee, or that it draws all that is random from the seed of its
// request. The first request to a command is made twice, and answers that differ are an error unless the command says
// that it is not deterministic. The second request to an observer has the beginning of the flight alone, so that an
// observer that looks ahead is an error too. No request is repeated after an error: the process ends, and the next
// request starts another.
package external
