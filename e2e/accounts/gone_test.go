package accounts_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/stack"
	"vitae.internal/e2e/internal/stored"
)

// traces holds values that belong to one person, by name.
type traces map[string]string

// in returns the names of the traces found in raw. A value may appear unchanged, in hexadecimal (the output
// format of bytea) or in base64 (the JSON format of bytes).
func (all traces) in(raw []byte) (found []string) {
	for _, what := range slices.Sorted(maps.Keys(all)) {
		text := all[what]
		forms := append(inBase64(text), text, hex.EncodeToString([]byte(text)))
		if slices.ContainsFunc(forms, func(form string) bool { return bytes.Contains(raw, []byte(form)) }) {
			found = append(found, what)
		}
	}
	return found
}

// inBase64 returns the base64 forms that text can have inside a longer value. It encodes whole groups
// of three bytes, for each of the three offsets at which a group can begin.
func inBase64(text string) (forms []string) {
	for skipped := range 3 {
		whole := text[skipped:]
		forms = append(forms, base64.StdEncoding.EncodeToString([]byte(whole[:len(whole)/3*3])))
	}
	return forms
}

// places maps locations where a stack stores data to the names of the traces found there.
type places map[string][]string

func (p places) add(where string, found []string) {
	for _, what := range found {
		if !slices.Contains(p[where], what) {
			p[where] = append(p[where], what)
		}
	}
}

// of returns the locations that contain the given trace.
func (p places) of(what string) (all []string) {
	for _, where := range slices.Sorted(maps.Keys(p)) {
		if slices.Contains(p[where], what) {
			all = append(all, where)
		}
	}
	return all
}

// search searches for the traces in every row of every table, in the names and content of all files in
// the bucket, and in every key of Redis. New tables and columns are included automatically.
func (all traces) search(t *testing.T, on *stack.Stack) places {
	t.Helper()
	found := places{}
	stored.Tables(t, on, func(where string, rows []byte) { found.add(where, all.in(rows)) })
	all.searchBucket(t, on, found)
	stored.Redis(t, on, func(key string, value []byte) {
		if key != stored.SlowLog { // old entries are dropped automatically
			found.add("Redis", all.in(append(value, key...)))
		}
	})
	return found
}

func (all traces) searchBucket(t *testing.T, on *stack.Stack, found places) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(on.Dir(), "resumes"), func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		raw, err := os.ReadFile(file)
		if os.IsNotExist(err) {
			return nil // removed by another test
		}
		found.add("the bucket", all.in(append(raw, file...)))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// passWeek makes the deletion of a person due now, and waits until it is complete.
func passWeek(t *testing.T, on *stack.Stack, personID string) {
	t.Helper()
	auth := stored.Database(t, on, "auth")
	awaitPasses := func(want string) {
		expect.Eventually(t, "the deletion has "+want, func(ctx context.Context) error {
			var state string
			err := auth.QueryRow(ctx, `SELECT coalesce((SELECT passes || ' passes' FROM person_deletions WHERE person_id = $1), 'ended')`, personID).Scan(&state)
			if err == nil && state != want {
				err = fmt.Errorf("the deletion has %s", state)
			}
			return err
		})
	}
	move := func() {
		if tag := expect.Must(auth.Exec(t.Context(), `UPDATE person_deletions SET next_at = now() - interval '1 second', due_at = least(due_at, now()) WHERE person_id = $1`, personID))(t); tag.RowsAffected() != 1 {
			t.Fatalf("%s has no pending deletion", personID)
		}
	}
	move()
	awaitPasses("2 passes") // auth, then candidate
	move()                  // skips the fifteen minutes before both services delete the data again
	awaitPasses("ended")
}

// list returns the locations that contain traces, one per line.
func (p places) list() string {
	var b strings.Builder
	for _, where := range slices.Sorted(maps.Keys(p)) {
		if len(p[where]) > 0 {
			fmt.Fprintf(&b, "\n  %s: %s", where, strings.Join(p[where], ", "))
		}
	}
	return b.String()
}
