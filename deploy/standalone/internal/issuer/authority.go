package issuer

import (
	"os"
	"path/filepath"
	"time"
)

// folder is the name of the folder with the certificate authority's files. No service mounts it.
const folder = "authority"

// authorities holds the current certificate authority. During a replacement it also holds the next authority, which is
// already trusted, or the old authority, which is still trusted.
type authorities struct {
	current   pair
	next, old *pair
}

// trusted returns the certificates of all trusted authorities in PEM format.
func (a authorities) trusted() []byte {
	text := certPEM(a.current.cert)
	for _, other := range []*pair{a.next, a.old} {
		if other != nil {
			text = append(text, certPEM(other.cert)...)
		}
	}
	return text
}

func (i *Issuer) file(name string) string { return filepath.Join(i.dir, folder, name+".pem") }

// authorities reads the authorities, and takes the next step of a replacement if it is due. The next authority is
// created after two thirds of the current authority's lifetime, and starts to sign after Overlap. docs/operations.md,
// "Certificates", describes the same steps for an external authority.
func (i *Issuer) authorities() (a authorities, err error) {
	now := i.now()
	if a.current, err = readPair(i.file("current")); absent(err) {
		if a.current, err = newAuthority(now, i.settings.AuthorityLife); err == nil {
			err = a.current.write(i.file("current"))
		}
	}
	if err != nil {
		return a, err
	}
	if a.next, err = i.other("next"); err != nil {
		return a, err
	}
	if a.old, err = i.other("old"); err != nil {
		return a, err
	}
	switch {
	case a.next == nil && due(a.current.cert, now):
		made, err := newAuthority(now, i.settings.AuthorityLife)
		if err != nil {
			return a, err
		}
		a.next = &made
		return a, made.write(i.file("next"))
	case a.next != nil && now.Sub(issued(a.next.cert)) >= i.settings.Overlap:
		return i.promote(a)
	}
	return a, nil
}

func (i *Issuer) other(name string) (*pair, error) {
	p, err := readPair(i.file(name))
	if absent(err) {
		return nil, nil
	}
	return &p, err
}

// promote makes the next authority the current one. After a crash, the next check completes the promotion.
func (i *Issuer) promote(a authorities) (authorities, error) {
	if err := a.current.write(i.file("old")); err != nil {
		return a, err
	}
	old := a.current
	return authorities{current: *a.next, old: &old}, os.Rename(i.file("next"), i.file("current"))
}

// forget removes the old authority if the newest certificate was issued at least Overlap ago. By then, all services use
// certificates from the current authority.
func (i *Issuer) forget(a authorities, youngest time.Time) error {
	if a.old == nil || i.now().Sub(youngest) < i.settings.Overlap {
		return nil
	}
	if err := os.Remove(i.file("old")); err != nil {
		return err
	}
	a.old = nil
	for _, name := range i.names {
		if err := replace(Files(i.dir, name).CAFile, a.trusted(), 0o644); err != nil {
			return err
		}
	}
	return nil
}
