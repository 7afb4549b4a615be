package cmd

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// errNotDone is for a question that was answered with anything but yes.
var errNotDone = errors.New("nothing was done")

// IsTerminal reports whether a person is at the file. /dev/null, which is what a program
// without a terminal often has, is a device too and no terminal.
func IsTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }

// addYes gives a command the flag that leaves its question out. Scripts of before the
// question do without the flag.
func addYes(c *cobra.Command, yes *bool) {
	c.Flags().BoolVarP(yes, "yes", "y", false, "do not ask; without a terminal nothing is asked")
}

// requireYes gives a command whose harm cannot be undone the flag that leaves its question
// out, and has a script give it.
func (a *app) requireYes(c *cobra.Command, yes *bool, does string) {
	c.Flags().BoolVarP(yes, "yes", "y", false, "do not ask; needed without a terminal")
	c.Args = func(c *cobra.Command, args []string) error {
		if !*yes && !a.streams.Interactive {
			return fmt.Errorf("nobody can be asked here; --yes %s unasked", does)
		}
		return cobra.ExactArgs(1)(c, args)
	}
}

// confirmed asks a person whether to go on. Where nobody can be asked, a script has decided.
func (a *app) confirmed(question string, yes bool) error {
	if yes || !a.streams.Interactive {
		return nil
	}
	answer, err := a.asked(question + " [y/N] ")
	if err != nil {
		return err
	}
	if answer = strings.ToLower(answer); answer != "y" && answer != "yes" {
		return errNotDone
	}
	return nil
}

// afterQuestion asks before the action of a command; its argument stands in the question.
func (a *app) afterQuestion(question string, yes *bool, action func(*cobra.Command, []string) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error {
		if err := a.confirmed(fmt.Sprintf(question, args[0]), *yes); err != nil {
			return failure{err}
		}
		return action(c, args)
	}
}

// asked puts a question on the stream of errors, so that it is not a part of what is
// printed, and gives the line that is typed.
func (a *app) asked(question string) (string, error) {
	if _, err := fmt.Fprint(a.streams.Err, question); err != nil {
		return "", err
	}
	line, err := bufio.NewReader(a.streams.In).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	return strings.TrimRight(line, "\r\n"), nil
}
