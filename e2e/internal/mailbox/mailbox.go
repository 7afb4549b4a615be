// Package mailbox reads the emails of a local stack, which stores them as files.
package mailbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/stack"
)

// Mail is a sent email.
type Mail struct {
	To, Subject, Language string
	// Text and HTML are the plain-text and HTML versions of the body.
	Text, HTML string
}

// link matches a URL on a line by itself.
var link = regexp.MustCompile(`(?m)^(https?://\S+)\r?$`)

// Link returns the URL in the email.
func (m Mail) Link(t testing.TB) string {
	t.Helper()
	found := link.FindStringSubmatch(m.Text)
	if found == nil {
		t.Fatalf("no link in %q", m.Text)
	}
	return found[1]
}

// signIns lists the subjects of notices about sign-ins in new browsers. Most tests cause such notices
// without testing them.
var signIns = []string{"New sign-in to your account", "تسجيل دخول من متصفح جديد"}

// SignIns returns the notices about sign-ins that were sent to an email address, oldest first.
func SignIns(t testing.TB, s *stack.Stack, address string) []Mail {
	t.Helper()
	return slices.DeleteFunc(all(t, s, address), func(m Mail) bool { return !slices.Contains(signIns, m.Subject) })
}

// Of returns all emails to an email address except notices about sign-ins, oldest first.
func Of(t testing.TB, s *stack.Stack, address string) []Mail {
	t.Helper()
	return slices.DeleteFunc(all(t, s, address), func(m Mail) bool { return slices.Contains(signIns, m.Subject) })
}

// cache holds parsed emails by file name, because tests that wait for an email read all files many
// times.
var cache sync.Map

func all(t testing.TB, s *stack.Stack, address string) []Mail {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(s.MailDir(), "*.eml"))
	if err != nil {
		t.Fatal(err)
	}
	var found []Mail
	for _, file := range files { // Glob sorts by name, which is by time
		m, there := cache.Load(file)
		if !there {
			m, err = read(file)
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			cache.Store(file, m)
		}
		if m := m.(Mail); m.To == address {
			found = append(found, m)
		}
	}
	return found
}

// Await waits until exactly n emails have been sent to an email address, and returns the last.
func Await(t testing.TB, s *stack.Stack, address string, n int) Mail {
	t.Helper()
	var last Mail
	expect.Eventually(t, fmt.Sprintf("email %d to %s", n, address), func(context.Context) error {
		got := Of(t, s, address)
		if len(got) != n {
			return fmt.Errorf("%d emails", len(got))
		}
		last = got[n-1]
		return nil
	})
	return last
}

func read(file string) (Mail, error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return Mail{}, err
	}
	msg, err := mail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		return Mail{}, err
	}
	to, err := msg.Header.AddressList("To")
	if err != nil {
		return Mail{}, err
	}
	m := Mail{To: to[0].Address, Language: msg.Header.Get("Content-Language")}
	if m.Subject, err = new(mime.WordDecoder).DecodeHeader(msg.Header.Get("Subject")); err != nil {
		return Mail{}, err
	}
	kind, parameters, err := mime.ParseMediaType(msg.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/alternative" {
		return Mail{}, errors.Join(err, fmt.Errorf("the content type is %s", kind))
	}
	parts := multipart.NewReader(msg.Body, parameters["boundary"])
	for _, into := range []*string{&m.Text, &m.HTML} {
		part, err := parts.NextRawPart()
		if err != nil {
			return Mail{}, err
		}
		body, err := io.ReadAll(quotedprintable.NewReader(part))
		if err != nil {
			return Mail{}, err
		}
		*into = string(body)
	}
	return m, nil
}
