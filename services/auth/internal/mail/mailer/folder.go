package mailer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/mail"
	"os"
	"path/filepath"
	"strings"

	domain "vitae.internal/services/auth/internal/mail"
)

// Folder writes each email to a file. It is used in local stacks.
type Folder struct {
	dir  string
	from *mail.Address
}

// NewFolder returns a Folder. The first email creates the directory.
func NewFolder(dir string, from *mail.Address) (*Folder, error) {
	if dir == "" || from == nil {
		return nil, errors.New("mailer: a folder and a sender are required")
	}
	return &Folder{dir: dir, from: from}, nil
}

// Send writes the email to a file named after its id, so that files sort by time. Readers never see an incomplete
// file.
func (f *Folder) Send(_ context.Context, m domain.Message) error {
	msg, err := compose(f.from, m)
	if err != nil {
		return err
	}
	var whole bytes.Buffer
	if _, err := msg.WriteTo(&whole); err != nil {
		return err
	}
	if err := os.MkdirAll(f.dir, 0o700); err != nil {
		return fmt.Errorf("%w: %w", domain.ErrUnusable, err)
	}
	name, _, _ := strings.Cut(m.ID, "@")
	final := filepath.Join(f.dir, name+".eml")
	if err := os.WriteFile(final+".part", whole.Bytes(), 0o600); err != nil {
		return fmt.Errorf("%w: %w", domain.ErrUnusable, err)
	}
	return os.Rename(final+".part", final)
}
