// Package app puts the candidate service together: its store, its rules and its
// gRPC methods. It is the only package that others may import.
package app
