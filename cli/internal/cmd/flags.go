package cmd

import (
	"errors"
	"strconv"
	"time"

	"github.com/spf13/cobra"
	"google.golang.org/protobuf/types/known/timestamppb"
)

// parsedFlag parses its value while the command line is read, so an invalid value is reported as a usage error.
type parsedFlag struct {
	kind, text string
	parse      func(string) error
}

func (f *parsedFlag) Set(s string) error {
	f.text = s
	return f.parse(s)
}

func (f *parsedFlag) Type() string   { return f.kind }
func (f *parsedFlag) String() string { return f.text }

// addTime adds a flag for a time in RFC 3339 format.
func addTime(c *cobra.Command, at **timestamppb.Timestamp, name, usage string) {
	c.Flags().Var(&parsedFlag{kind: "time", parse: func(s string) error {
		t, err := time.Parse(time.RFC3339, s)
		if err != nil {
			return errors.New("must be an RFC 3339 time, for example 2030-01-31T00:00:00Z")
		}
		*at = timestamppb.New(t)
		return nil
	}}, name, usage)
}

// addTimeOrDay adds a flag for a time or a UTC day. A day means its start.
func addTimeOrDay(c *cobra.Command, at **timestamppb.Timestamp, name, usage string) {
	c.Flags().Var(&parsedFlag{kind: "time", parse: func(s string) error {
		t, err := time.Parse(time.RFC3339, s)
		if err != nil {
			t, err = time.Parse(time.DateOnly, s)
		}
		if err != nil {
			return errors.New("must be a day or a time, for example 2030-01-31 or 2030-01-31T12:00:00Z")
		}
		*at = timestamppb.New(t)
		return nil
	}}, name, usage)
}

// addDay adds a flag for a day.
func addDay(c *cobra.Command, day *string, name, usage string) {
	c.Flags().Var(&parsedFlag{kind: "day", parse: func(s string) error {
		if _, err := time.Parse(time.DateOnly, s); err != nil {
			return errors.New("must be a day, for example 2030-01-31")
		}
		*day = s
		return nil
	}}, name, usage)
}

// addDuration adds a flag for a non-negative duration.
func addDuration(c *cobra.Command, d *time.Duration, name, usage string) {
	c.Flags().Var(&parsedFlag{kind: "duration", parse: func(s string) (err error) {
		if *d, err = time.ParseDuration(s); err != nil || *d < 0 {
			return errors.New("must be a duration, for example 90m or 24h")
		}
		return nil
	}}, name, usage)
}

// addBool adds a boolean flag whose value is nil unless it is set. Without a value, the flag means true.
func addBool(c *cobra.Command, value **bool, name, usage string) {
	c.Flags().VarPF(&parsedFlag{kind: "bool", parse: func(s string) error {
		b, err := strconv.ParseBool(s)
		if err != nil {
			return errors.New("must be true or false")
		}
		*value = &b
		return nil
	}}, name, "", usage).NoOptDefVal = "true"
}

// complete registers the values that a shell completes for a flag.
func complete(c *cobra.Command, flag string, words []string) {
	if err := c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // the flag is undefined or registered twice
	}
}

func mustRequire(c *cobra.Command, flags ...string) {
	for _, f := range flags {
		if err := c.MarkFlagRequired(f); err != nil {
			panic(err) // the flag is undefined
		}
	}
}
