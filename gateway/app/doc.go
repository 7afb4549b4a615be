// Package app puts the edge together: the REST edge and the pages, each with a
// listener of its own, over connections to the parts behind them. It is the one
// package of the module that others may import.
package app
