package cmd

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"vitae.internal/pkg/mtls"
)

func (a *app) operatorCommand() *cobra.Command {
	return group("operator", "Manage the certificates of operators", a.operatorAddCommand())
}

type operatorFiles struct {
	Name        string `json:"name"`
	CA          string `json:"ca"`
	Certificate string `json:"certificate"`
	Key         string `json:"key"`
}

func (a *app) operatorAddCommand() *cobra.Command {
	var dir string
	c := &cobra.Command{
		Use:   "add NAME [--dir DIR]",
		Short: "Create a certificate with which the audit log identifies an operator",
		Long: `Create a certificate and a key for an operator, signed by the authority in a folder. Existing files are kept. With this
certificate, vitaectl has the same permissions as with the shared one, and the audit log names the operator (vitaectl/NAME).
Run the command where the authority's key is. If you use another authority, have it sign a certificate with the only DNS name
vitaectl/NAME.`,
		Example: "  vitaectl operator add alice",
		Args:    cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			name := mtls.Operators + "/" + args[0]
			if !mtls.ValidName(name) {
				return fmt.Errorf("NAME must be up to 31 lower-case letters, digits and dashes and begin with a letter, not %q", args[0])
			}
			if _, err := os.Stat(filepath.Join(dir, "ca-key.pem")); errors.Is(err, fs.ErrNotExist) {
				return failure{fmt.Errorf("the authority's key is not in %s: set its folder with --dir, or have your authority sign a certificate with the DNS name %s", dir, name)}
			}
			if err := mtls.Issue(dir, name); err != nil {
				return failure{err}
			}
			files := mtls.Files(dir, name)
			return a.show(operatorFiles{name, files.CAFile, files.CertFile, files.KeyFile},
				"Created the certificate of "+name+". Give these files to the operator, who sets:",
				"export VITAE_TLS_CA="+files.CAFile,
				"export VITAE_TLS_CERT="+files.CertFile,
				"export VITAE_TLS_KEY="+files.KeyFile)
		},
	}
	c.Flags().StringVar(&dir, "dir", filepath.Join(cmp.Or(os.Getenv("VITAE_DATA_DIR"), ".vitae"), "tls"), "folder with the authority (ca.pem, ca-key.pem)")
	return c
}
