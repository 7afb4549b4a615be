package cmd

import (
	"errors"
	"strconv"
	"time"

	"github.com/spf13/cobra"
	"google.golang.org/protobuf/types/known/timestamppb"
)

// timeFlag reads a time, so that a malformed time is an error of usage.
type timeFlag struct{ at *timestamppb.Timestamp }

// Set implements pflag.Value.
func (f *timeFlag) Set(s string) error {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return errors.New("must be an RFC 3339 time, for example 2030-01-31T00:00:00Z")
	}
	f.at = timestamppb.New(t)
	return nil
}

// Type implements pflag.Value.
func (f *timeFlag) Type() string { return "time" }

// String implements pflag.Value.
func (f *timeFlag) String() string {
	if f.at == nil {
		return ""
	}
	return when(f.at)
}

// lengthFlag reads a length of time.
type lengthFlag struct{ length time.Duration }

// Set implements pflag.Value.
func (f *lengthFlag) Set(s string) error {
	length, err := time.ParseDuration(s)
	if err != nil || length < 0 {
		return errors.New("must be a length of time, for example 90m or 24h")
	}
	f.length = length
	return nil
}

// Type implements pflag.Value.
func (f *lengthFlag) Type() string { return "length" }

// String implements pflag.Value.
func (f *lengthFlag) String() string {
	if f.length == 0 {
		return ""
	}
	return f.length.String()
}

// truthFlag reads true or false. Its value is nil if the flag is absent.
type truthFlag struct{ value *bool }

// addTruth gives a command a truthFlag. The name alone means true.
func addTruth(c *cobra.Command, f *truthFlag, name, usage string) {
	c.Flags().VarPF(f, name, "", usage).NoOptDefVal = "true"
}

// Set implements pflag.Value.
func (f *truthFlag) Set(s string) error {
	value, err := strconv.ParseBool(s)
	if err != nil {
		return errors.New("must be true or false")
	}
	f.value = &value
	return nil
}

// Type implements pflag.Value.
func (f *truthFlag) Type() string { return "bool" }

// String implements pflag.Value.
func (f *truthFlag) String() string {
	if f.value == nil {
		return ""
	}
	return strconv.FormatBool(*f.value)
}

// complete gives a shell the words of a flag.
func complete(c *cobra.Command, flag string, words []string) {
	if err := c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // the caller has not defined the flag, or asks twice
	}
}

func mustRequire(c *cobra.Command, flags ...string) {
	for _, f := range flags {
		if err := c.MarkFlagRequired(f); err != nil {
			panic(err) // the caller has not defined the flag
		}
	}
}
