// Package server runs a private server as a child process: it finds the program, creates the data
// directory, and waits until the server responds.
package server
