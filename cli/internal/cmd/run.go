package cmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/config"
	"vitae.internal/pkg/grpcx"
	"vitae.internal/pkg/id"
	"vitae.internal/pkg/release"
)

// Exit statuses of vitaectl.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

// Streams holds the standard streams of a command.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	// Interactive reports whether In is a terminal, so the user can be asked questions.
	Interactive bool
}

// app holds the state that all commands share.
type app struct {
	streams Streams
	clock   clock.Clock
	connect func() (*stack, error)
	output  string
	// helpFault is the error for --help with an unknown command, which cobra does not check.
	helpFault error
}

// failure marks an error from a command that was used correctly. All other errors that reach Run are
// usage errors.
type failure struct{ error }

func (f failure) Unwrap() error { return f.error }

// Run runs vitaectl with args, which exclude the program name. It returns the exit status: 0 for success, 1 if
// the command was rejected or failed, and 2 for a usage error.
func Run(args []string, env config.Environment, streams Streams) int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	return run(ctx, args, streams, clock.System{}, func() (*stack, error) { return connect(env) })
}

func run(ctx context.Context, args []string, streams Streams, clock clock.Clock, connect func() (*stack, error)) int {
	a := &app{streams: streams, clock: clock, connect: connect}
	root := a.root()
	root.SetArgs(args)
	// All calls of a command share a request id, so the audit log can group them.
	c, err := root.ExecuteContextC(grpcx.WithRequestID(ctx, id.New("req")))
	err = cmp.Or(err, a.helpFault)
	var failed failure
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &failed):
		fmt.Fprintf(streams.Err, "vitaectl: %s\n", explain(failed.error))
		return exitFailed
	default:
		fmt.Fprintf(streams.Err, "vitaectl: %v\n%s --help shows the usage.\n", usageFault(c, err), c.CommandPath())
		return exitUsage
	}
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "vitaectl",
		Short:         "Operate a Vitae deployment",
		Long:          "Operate a Vitae deployment over its internal gRPC.\n\n" + environmentHelp,
		SilenceErrors: true,
		SilenceUsage:  true,
		Version:       versionLine(release.Read()),
		RunE:          incomplete,
		Args:          noSuchCommand,
		PersistentPreRunE: func(*cobra.Command, []string) error {
			if !slices.Contains(outputs, a.output) {
				return fmt.Errorf("--output must be text, wide or json, not %q", a.output)
			}
			return nil
		},
	}
	root.SetFlagErrorFunc(flagFault)
	help := root.HelpFunc()
	root.SetHelpFunc(func(c *cobra.Command, args []string) {
		if a.helpFault = unknownCommand(c); a.helpFault == nil {
			help(c, args)
		}
	})
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetIn(a.streams.In)
	root.SetOut(a.streams.Out)
	root.SetErr(a.streams.Err)
	root.PersistentFlags().StringVarP(&a.output, "output", "o", "text", "output format: text, wide (all columns) or json")
	root.AddCommand(a.importCommand(), a.accountCommand(), a.appCommand(), a.keyCommand(),
		a.companyCommand(), a.applicationCommand(), a.personCommand(), a.memberCommand(), a.usageCommand(), a.requestsCommand(), a.auditCommand(),
		a.planRequestsCommand(), a.operatorCommand(), a.versionCommand())
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() == "completion" { // make it behave like the other groups
			c.RunE, c.Args = incomplete, noSuchCommand
		}
	}
	return root
}

var outputs = []string{"text", "wide", "json"}

// usageFault describes missing or extra arguments by their names in the usage line.
func usageFault(c *cobra.Command, err error) error {
	var wanted, got int
	if n, _ := fmt.Sscanf(err.Error(), "accepts %d arg(s), received %d", &wanted, &got); n == 2 {
		var names []string
		for _, word := range strings.Fields(c.Use)[1:] {
			if strings.ContainsAny(word[:1], "-[") {
				break
			}
			names = append(names, word)
		}
		if got < wanted && len(names) == wanted {
			return fmt.Errorf("%s is missing", strings.Join(names[got:], " and "))
		}
		return fmt.Errorf("got %d arguments, but the command takes %d: %s", got, wanted, strings.Join(names, " "))
	}
	if n, _ := fmt.Sscanf(err.Error(), "accepts at most %d arg(s), received %d", &wanted, &got); n == 2 {
		return fmt.Errorf("got %d arguments, but the command takes at most %d", got, wanted)
	}
	if !c.HasSubCommands() && strings.HasPrefix(err.Error(), "unknown command ") { // from cobra.NoArgs
		return fmt.Errorf("%q is an argument, but %s takes only flags", c.Flags().Arg(0), c.CommandPath())
	}
	if flags, found := strings.CutPrefix(err.Error(), "required flag(s) "); found {
		flags = strings.NewReplacer(`", "`, " and --", `"`, "", " not set", "").Replace(flags)
		return fmt.Errorf("--%s is required", flags)
	}
	return err
}

// group returns the command for a noun, which requires a verb.
func group(noun, short string, verbs ...*cobra.Command) *cobra.Command {
	g := &cobra.Command{Use: noun, Short: short, RunE: incomplete, Args: noSuchCommand}
	g.AddCommand(verbs...)
	return g
}

func incomplete(c *cobra.Command, _ []string) error {
	var names []string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	return fmt.Errorf("%q needs a command: %s", c.CommandPath(), strings.Join(names, ", "))
}

func noSuchCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := ""
	if near := similarCommands(c, args[0]); len(near) > 0 {
		hint = "; did you mean " + strings.Join(near, " or ") + "?"
	}
	return fmt.Errorf("unknown command %q for %q%s", args[0], c.CommandPath(), hint)
}

func similarCommands(c *cobra.Command, word string) []string {
	c.SuggestionsMinimumDistance = 2 // enough for a typical typo
	return c.SuggestionsFor(word)
}

// flagFault describes an invalid flag. If the command is unknown, so are its flags, and flagFault reports the
// command instead.
func flagFault(c *cobra.Command, err error) error {
	return cmp.Or(unknownCommand(c), err)
}

// unknownCommand returns an error if the first argument of a command with subcommands is neither one of them nor an
// argument of the command itself, as in `usage ACCOUNT`.
func unknownCommand(c *cobra.Command) error {
	args := c.Flags().Args()
	if !c.HasSubCommands() || len(args) == 0 {
		return nil
	}
	return c.Args(c, args)
}

// actionTimeout leaves time for a revocation to take effect everywhere, even while Redis is down
// (behaviour: tokens#revocation-waits-for-redis). A test compares it with sessionrecord.WaitOut. Unreachable
// services are reported much sooner.
const actionTimeout = 17500 * time.Millisecond

// withStack returns a command function that connects to the services and runs action.
func (a *app) withStack(action func(ctx context.Context, s *stack, args []string) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error {
		s, err := a.connect()
		if err != nil {
			return failure{err}
		}
		defer s.close()
		ctx, cancel := context.WithTimeout(c.Context(), actionTimeout)
		defer cancel()
		if err := action(ctx, s, args); err != nil {
			return failure{a.refused(c, err)}
		}
		return nil
	}
}
