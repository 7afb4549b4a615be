// Command capacity writes the tables of docs/scale.md from what was measured and what is
// assumed. With -print it prints them instead, for example for another file of assumptions:
//
//	go run ./e2e/capacity/cmd/capacity -scenarios mine.json -print
package main

import (
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"

	"vitae.internal/e2e/capacity"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "capacity:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("capacity", flag.ContinueOnError)
	measured := flags.String("coefficients", "e2e/capacity/coefficients.json", "the file of what was measured")
	assumed := flags.String("scenarios", "e2e/capacity/scenarios.json", "the file of what is assumed")
	page := flags.String("page", "docs/scale.md", "the page to write")
	printed := flags.Bool("print", false, "print the tables and write nothing")
	if err := flags.Parse(args); err != nil {
		return err
	}
	c, err := capacity.ReadCoefficients(*measured)
	if err != nil {
		return err
	}
	plan, err := capacity.ReadPlan(*assumed, c)
	if err != nil {
		return err
	}
	tables := capacity.Tables(c, plan)
	if *printed {
		for _, name := range slices.Sorted(maps.Keys(tables)) {
			fmt.Fprintf(out, "%s\n\n%s\n", name, tables[name])
		}
		return nil
	}
	text, err := os.ReadFile(*page)
	if err != nil {
		return err
	}
	filled, err := capacity.FillPage(string(text), tables)
	if err != nil {
		return fmt.Errorf("%s: %w", *page, err)
	}
	return os.WriteFile(*page, []byte(filled), 0o644)
}
