package cmd

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
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
		if err := a.confirmed(fmt.Sprintf(question, a.named(c, args[0], *yes)), *yes); err != nil {
			return failure{err}
		}
		return action(c, args)
	}
}

// named is what a question calls the account, app or person of an id: by its name, with the id. It is the id alone
// where nobody is asked, for other ids, and where no name is found: then the action says why.
func (a *app) named(c *cobra.Command, id string, yes bool) string {
	if yes || !a.streams.Interactive {
		return id
	}
	var name string
	_ = a.withStack(func(ctx context.Context, s *stack, _ []string) (err error) { // as said above
		switch kind, _, _ := strings.Cut(id, "_"); kind {
		case "dev":
			var found *authv1.GetAccountResponse
			found, err = s.Developers.GetAccount(ctx, &authv1.GetAccountRequest{Id: id})
			name = found.GetAccount().GetName()
		case "app":
			var found *authv1.GetAppResponse
			found, err = s.Developers.GetApp(ctx, &authv1.GetAppRequest{Id: id})
			name = found.GetApp().GetName()
		case "usr":
			var found *authv1.GetPersonResponse
			found, err = s.People.GetPerson(ctx, &authv1.GetPersonRequest{By: &authv1.GetPersonRequest_Id{Id: id}})
			name = found.GetPerson().GetEmail()
		}
		return err
	})(c, nil)
	if name = oneLine(name); name == "" {
		return id
	}
	return name + " (" + id + ")"
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
