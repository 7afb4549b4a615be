// Command vitae runs a whole local stack in the foreground: all services, a private Postgres and Redis, the demo data
// and the example partner site.
//
//	vitae                     run until Ctrl-C
//	vitae clean-data          remove the data folder
//	vitae certs DIR NAME...   create a certificate authority and certificates for callers in DIR
//	vitae issuer keep|renew|check DIR NAME...
//	                          create and renew the certificates of a container deployment, each in its
//	                          own folder; renew all of them now; check them
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"vitae.internal/deploy/standalone/internal/datadir"
	"vitae.internal/deploy/standalone/internal/issuer"
	"vitae.internal/deploy/standalone/internal/settings"
	"vitae.internal/deploy/standalone/internal/stack"
	"vitae.internal/pkg/config"
	"vitae.internal/pkg/mtls"
	"vitae.internal/pkg/telemetry"
)

var errUsage = errors.New("usage: vitae [clean-data | certs DIR NAME... | issuer keep|renew|check DIR NAME...]")

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "vitae:", err)
		stop()
		if errors.Is(err, errUsage) {
			os.Exit(2)
		}
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	switch {
	case len(args) == 0:
		self, err := os.Executable()
		if err != nil {
			return err
		}
		return stack.Run(ctx, config.OS(), filepath.Dir(self), os.Stdout)
	case args[0] == "clean-data" && len(args) == 1:
		dir, err := settings.DataDir(config.OS())
		if err != nil {
			return err
		}
		return clean(dir, os.Stdout)
	case args[0] == "certs" && len(args) > 2:
		return mtls.Issue(args[1], args[2:]...)
	case args[0] == "issuer" && len(args) > 3:
		return issue(ctx, args[1], args[2], args[3:])
	}
	return errUsage
}

// issue runs an issuer command.
func issue(ctx context.Context, what, dir string, names []string) error {
	s, err := config.Load[issuer.Settings](config.OS())
	if err != nil {
		return err
	}
	i, err := issuer.New(s, dir, names, time.Now)
	if err != nil {
		return err
	}
	switch what {
	case "keep":
		return i.Run(ctx, telemetry.NewLogger(os.Stderr, "issuer"))
	case "renew":
		return i.Renew()
	case "check":
		return i.Check()
	}
	return errUsage
}

// clean removes the data folder and prints the removed paths.
func clean(dir string, out io.Writer) error {
	gone, err := datadir.Remove(dir)
	for _, path := range gone {
		fmt.Fprintln(out, "Removed", path)
	}
	if err == nil && len(gone) == 0 {
		fmt.Fprintln(out, "Nothing to remove: there is no", dir)
	}
	return err
}
