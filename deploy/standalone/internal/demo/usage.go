package demo

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"vitae.internal/deploy/standalone/internal/datadir"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

const (
	// usagePending is the name of a file in the data folder. It exists until the usage of an imported world has been
	// recorded.
	usagePending = "usage.pending"
	// batch is the maximum number of requests in a call.
	batch = 1000
)

// SeedUsage records the usage described in the file usage.json next to a world file, as a gateway would. It
// does nothing if that file does not exist.
func SeedUsage(ctx context.Context, d *datadir.Dir, to authv1.UsageServiceClient, world string, now time.Time) error {
	if _, err := os.Stat(d.File(usagePending)); world == "" || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	p, there, err := readPattern(world)
	if err != nil {
		return err
	}
	if there {
		if err := p.seed(ctx, d, to, world, now); err != nil {
			return fmt.Errorf("seed %s: %w", usageFile(world), err)
		}
	}
	return os.Remove(d.File(usagePending))
}

func (p pattern) seed(ctx context.Context, d *datadir.Dir, to authv1.UsageServiceClient, world string, now time.Time) error {
	var made things
	if err := readJSON(d.File(Printed), &made); err != nil {
		return err
	}
	for _, s := range p.Sources {
		if made.Developers[p.Account].ID == "" || made.Apps[s.App].ID == "" || s.APIKey != "" && made.APIKeys[s.APIKey].ID == "" {
			return fmt.Errorf("%s, %s or %s is not in the world", p.Account, s.App, s.APIKey)
		}
	}
	owns, err := made.ownedBy(world, p.Sources[0].App)
	if err != nil {
		return err
	}
	g := newGenerator(p, made, owns, now)
	for n := p.Days - 1; n >= 0; n-- {
		entries := g.dayAgo(n)
		counts := count(entries)
		if n >= logged {
			entries = nil
		}
		// If an interrupted start is repeated, its batches have the same ids, so the auth service applies each
		// batch only once.
		name := fmt.Sprintf("demo-%s-%s", made.Developers[p.Account].ID, now.UTC().AddDate(0, 0, -n).Format(time.DateOnly))
		for i := 0; i == 0 || len(entries) > 0; i++ {
			part := entries[:min(len(entries), batch)]
			_, err := to.RecordRequests(ctx, &authv1.RecordRequestsRequest{BatchId: fmt.Sprintf("%s-%d", name, i), Entries: part, Counts: counts})
			if err != nil {
				return err
			}
			entries, counts = entries[len(part):], nil
		}
	}
	return nil
}

// count adds up the requests of a day by app and key.
func count(entries []*authv1.RequestEntry) (counts []*authv1.AccountUsage) {
	type row struct{ app, key string }
	rows := map[row]*authv1.Usage{}
	for _, e := range entries {
		at := row{e.GetAppId(), e.GetApiKeyId()}
		u, there := rows[at]
		if !there {
			u = &authv1.Usage{Day: e.GetAt().AsTime().Format(time.DateOnly), AppId: at.app, ApiKeyId: at.key}
			rows[at] = u
			counts = append(counts, &authv1.AccountUsage{AccountId: e.GetAccountId(), Usage: u})
		}
		u.Requests++
		if e.GetMetered() {
			u.Metered++
		}
		switch status := e.GetStatus(); {
		case status >= 500:
			u.Failed++
			u.ServerFailed++
		case status >= 400:
			u.Failed++
		case status >= 300:
			u.Redirected++
		}
		if e.GetRefusedBy() != "" {
			u.Refused++
		}
	}
	return counts
}
