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

// errNotDone is returned if the user did not confirm the action.
var errNotDone = errors.New("canceled, nothing was changed")

// IsTerminal reports whether f is a terminal. /dev/null, the usual stdin of background programs, is
// a device but not a terminal.
func IsTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }

// addYes adds the flag --yes, which skips the confirmation. Scripts do not need the flag, because without a
// terminal there is no confirmation.
func addYes(c *cobra.Command, yes *bool) {
	c.Flags().BoolVarP(yes, "yes", "y", false, "skip the confirmation; without a terminal there is none")
}

// requireYes adds the flag --yes to an irreversible command. Without a terminal, the flag is required.
func (a *app) requireYes(c *cobra.Command, yes *bool, does string) {
	c.Flags().BoolVarP(yes, "yes", "y", false, "skip the confirmation; required without a terminal")
	c.Args = func(c *cobra.Command, args []string) error {
		if !*yes && !a.streams.Interactive {
			return fmt.Errorf("there is no terminal to confirm on; --yes %s without confirmation", does)
		}
		return cobra.ExactArgs(1)(c, args)
	}
}

// confirm asks whether to continue. It does not ask if yes is set or there is no terminal.
func (a *app) confirm(question string, yes bool) error {
	if yes || !a.streams.Interactive {
		return nil
	}
	answer, err := a.prompt(question + " [y/N] ")
	if err != nil {
		return err
	}
	if answer = strings.ToLower(answer); answer != "y" && answer != "yes" {
		return errNotDone
	}
	return nil
}

// withConfirmation asks for confirmation before it runs action. The question is a format string for the
// command's argument.
func (a *app) withConfirmation(question string, yes *bool, action func(*cobra.Command, []string) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error {
		if err := a.confirm(fmt.Sprintf(question, a.named(c, args[0], *yes)), *yes); err != nil {
			return failure{err}
		}
		return action(c, args)
	}
}

// named returns the name and id of an account, app or person, for use in a question. It returns only the id if
// no question will be asked, if the object is of a different kind, or if the lookup fails. If the lookup
// fails, the action reports the error.
func (a *app) named(c *cobra.Command, id string, yes bool) string {
	if yes || !a.streams.Interactive {
		return id
	}
	var name string
	_ = a.withStack(func(ctx context.Context, s *stack, _ []string) (err error) { // the action reports the error
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

// prompt prints a question on stderr, so that it does not get into the command's output, and returns the line
// that the user types.
func (a *app) prompt(question string) (string, error) {
	if _, err := fmt.Fprint(a.streams.Err, question); err != nil {
		return "", err
	}
	line, err := bufio.NewReader(a.streams.In).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	return strings.TrimRight(line, "\r\n"), nil
}
