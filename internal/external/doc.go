// Package external has commands of users be mechanisms and observers. A command is a line of sh whose process answers
// lines of JSON on standard input with lines of JSON on standard output; assets/guide/exec.md is the protocol. A
// Command keeps as many processes as requests are made at once, which is one a worker.
//
// # Assumptions and limitations
//
// Nothing proves what a command says of its guarantee, or that it draws all that is random from the seed of its
// request. The first request of every process and those of one run in a hundred are made twice, and answers that
// differ are errors, unless the command says that it is not deterministic. The second request to an observer has the
// beginning of the flight alone, so that answers which look ahead are errors too. No request is repeated after an
// error: the process ends, and the next request starts another.
package external
