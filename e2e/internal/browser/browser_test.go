package browser_test

import (
	"context"
	"errors"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"vitae.internal/e2e/internal/browser"
	"vitae.internal/e2e/internal/stack"
)

const form = `<!doctype html><html lang=ar dir=rtl><title>t</title><body><h1>Hello</h1>
<form method=post action=/sent><label>Name <input name=who></label><label for=p>Secret</label><input id=p type=password name=p>
<label><input type=checkbox name=box value=yes> Box</label><button>Send</button></form>`

func site(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if r.Method == http.MethodPost {
			fmt.Fprintf(w, "<h1>%s %s %s</h1>", html.EscapeString(r.PostFormValue("who")), r.PostFormValue("p"), r.PostFormValue("box"))
			return
		}
		fmt.Fprint(w, strings.ReplaceAll(form, "Hello", "Hello "+html.EscapeString(r.Header.Get("Accept-Language"))))
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func TestElementsAreFoundByRoleAndNameAndUsedByMouse(t *testing.T) {
	t.Parallel()
	b := browser.Start(t, browser.Options{Language: "ar", Width: 360, Height: 740, NoScript: true})
	b.Open(site(t))
	b.Find("heading", "Hello ar")
	if b.Lang() != "ar" || b.Direction() != "rtl" || b.Overflow() != 0 {
		t.Errorf("lang %q, direction %q, overflow %d", b.Lang(), b.Direction(), b.Overflow())
	}
	b.Find("textbox", "Name").Fill("Layla")
	b.Find("textbox", "Secret").Fill("word")
	b.Find("checkbox", "Box").Set(true)
	if !b.Find("checkbox", "Box").Checked() {
		t.Error("the box is not ticked")
	}
	b.Find("button", "Send").Click()
	b.Find("heading", "Layla word yes")
}

func TestKeyboardMovesTheFocusAndSends(t *testing.T) {
	t.Parallel()
	b := browser.Start(t, browser.Options{})
	b.Open(site(t))
	b.Press(kb.Tab)
	if name := b.Focused().Name(); name != "Name" {
		t.Fatalf("focus on %q", name)
	}
	b.Press("Layla" + kb.Tab + "word" + kb.Tab + " " + kb.Enter)
	b.Find("heading", "Layla word yes")
}

func TestBrowsersShareNoCookies(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "seen", Value: "1"})
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, "<h1>%d cookies</h1>", len(r.Cookies()))
	}))
	t.Cleanup(server.Close)
	for range 2 {
		b := browser.Start(t, browser.Options{})
		b.Open(server.URL)
		b.Find("heading", "0 cookies")
		b.Reload()
		b.Find("heading", "1 cookies")
	}
}

// TestEndsBadly is run by TestChromiumEndsWithTheTests, in a process of its own.
func TestEndsBadly(t *testing.T) {
	end := os.Getenv("BROWSER_TEST_END")
	if end == "" {
		return
	}
	browser.Start(t, browser.Options{}).Open(site(t))
	switch end {
	case "exit":
		os.Exit(3)
	case "kill":
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	}
}

func TestChromiumEndsWithTheTests(t *testing.T) {
	t.Parallel()
	for _, end := range []string{"exit", "kill"} {
		t.Run(end, func(t *testing.T) {
			t.Parallel()
			// Not t.TempDir: Chromium creates a socket in it, whose path may have 107 bytes (unix(7)).
			folder, err := os.MkdirTemp("", "b")
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = os.RemoveAll(folder) })
			cmd := exec.Command(os.Args[0], "-test.run=^TestEndsBadly$")
			cmd.Env = append(os.Environ(), "BROWSER_TEST_END="+end, "TMPDIR="+folder)
			if out, err := cmd.CombinedOutput(); err == nil {
				t.Fatalf("the tests ended well:\n%s", out)
			}
			err = stack.Until(t.Context(), "the end of Chromium", func(context.Context) error {
				if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
					return fmt.Errorf("left behind: %v, %v", left, err)
				}
				return running(folder)
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
}

// running returns an error that names the processes whose command lines have a text.
func running(text string) error {
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		return err
	}
	var left []string
	for _, file := range files {
		// A process that has ended in the meantime has no file.
		if line, err := os.ReadFile(file); err == nil && strings.Contains(string(line), text) {
			left = append(left, strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	if len(left) > 0 {
		return errors.New(strings.Join(left, "\n"))
	}
	return nil
}
