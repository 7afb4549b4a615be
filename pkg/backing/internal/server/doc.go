// Package server runs one private server as a child process: it finds its program, makes its directory,
// and waits until it answers.
package server
