// Command vitaectl operates a Vitae deployment through its internal gRPC API.
package main

import (
	"os"

	"vitae.internal/cli/internal/cmd"
	"vitae.internal/pkg/config"
)

func main() {
	os.Exit(cmd.Run(os.Args[1:], config.OS(), cmd.Streams{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Interactive: cmd.IsTerminal(os.Stdin),
	}))
}
