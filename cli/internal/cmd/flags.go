package cmd

import (
	"errors"
	"fmt"
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

// addPeriod adds the flags --from and --to to a command that reads a log. Days are UTC, and --to includes its day, as in
// addDays.
func addPeriod(c *cobra.Command, from, to **timestamppb.Timestamp) {
	add := func(at **timestamppb.Timestamp, name string, ofDay time.Duration, usage string) {
		c.Flags().Var(&parsedFlag{kind: "time", parse: func(s string) error {
			t, err := time.Parse(time.RFC3339, s)
			if err != nil {
				t, err = time.Parse(time.DateOnly, s)
				t = t.Add(ofDay)
			}
			if err != nil {
				return errors.New("must be a day or a time, for example 2030-01-31 or 2030-01-31T12:00:00Z")
			}
			*at = timestamppb.New(t)
			return nil
		}}, name, usage)
	}
	add(from, "from", 0, "first UTC day, YYYY-MM-DD, or a time such as 2030-01-31T12:00:00Z")
	add(to, "to", 24*time.Hour, "last UTC day, or a time (exclusive)")
}

// takeAccount lets a command accept the account either as an argument or with --account.
func takeAccount(c *cobra.Command, id *string, required bool) { takeID(c, id, "account", required) }

// takeID lets a command accept an id either as an argument or with the flag.
func takeID(c *cobra.Command, id *string, flag string, required bool) {
	c.Flags().StringVar(id, flag, "", "the "+flag+" (id), instead of the argument")
	c.Args = func(c *cobra.Command, args []string) error {
		switch {
		case len(args) > 0 && args[0] == "":
			return fmt.Errorf("the %s is empty", flag)
		case len(args) > 0 && len(similarCommands(c, args[0])) > 0:
			return noSuchCommand(c, args)
		case len(args) == 1 && *id != "":
			return fmt.Errorf("name the %s once, as the argument or with --%[1]s", flag)
		case len(args) == 1:
			*id = args[0]
		case required && *id == "":
			return cobra.ExactArgs(1)(c, args)
		}
		return cobra.MaximumNArgs(1)(c, args)
	}
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

// complete registers the values that the shell offers as completions for a flag.
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
