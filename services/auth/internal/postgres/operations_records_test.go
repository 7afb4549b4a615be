package postgres_test

import (
	"context"
	"time"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/id"
	"vitae.internal/services/auth/internal/activity/auditlog"
	"vitae.internal/services/auth/internal/activity/usage"
	"vitae.internal/services/auth/internal/authtest"
)

func usageOperations(w *authtest.World) []operation {
	a, now := w.Confidential(), w.Clock.Now()
	day := usage.DayOf(now)
	w.Must(w.Store.MakePartitions(w.Context(), day, day))
	batch := usage.Batch{
		ID: id.New("bat"), Counts: []usage.Count{{AccountID: a.AccountID, Day: day, AppID: a.App.ID, Requests: 1, Metered: 1}},
		Entries: []usage.Entry{{At: now, RequestID: id.New("req"), AccountID: a.AccountID, AppID: a.App.ID}},
	}
	requests := func(appID string) func(context.Context) error {
		return func(ctx context.Context) error {
			_, err := w.Store.Requests(ctx, usage.Query{AccountID: a.AccountID, Filter: usage.Filter{AppID: appID}, Since: day, After: usage.Position{At: now}, AtMost: 1})
			return err
		}
	}
	return []operation{
		{"apply a batch", func(ctx context.Context) error { return w.Store.Apply(ctx, batch, now) }, nil},
		{"apply it again", func(ctx context.Context) error { return w.Store.Apply(ctx, batch, now) }, nil},
		{"spent", func(ctx context.Context) error { _, err := w.Store.Spent(ctx, a.AccountID, day); return err }, nil},
		{"usage", func(ctx context.Context) error {
			_, err := w.Store.Usage(ctx, usage.Listing{AccountID: a.AccountID, From: day, To: day})
			return err
		}, nil},
		{"requests", requests(""), nil},
		{"requests of an app", requests(a.App.ID), nil},
		{"make partitions", func(ctx context.Context) error { return w.Store.MakePartitions(ctx, day, day.AddDate(0, 0, 1)) }, nil},
		{"drop partitions", func(ctx context.Context) error { return w.Store.DropPartitions(ctx, day.AddDate(0, 0, -1)) }, nil},
		{"delete batches", func(ctx context.Context) error { _, err := w.Store.DeleteBatches(ctx, day, 10); return err }, nil},
		{"delete what is dead", func(ctx context.Context) error { _, err := w.Store.DeleteDead(ctx, day, 10); return err }, nil},
		{"delete what is idle", func(ctx context.Context) error { _, err := w.Store.DeleteIdle(ctx, time.Unix(0, 0), 10); return err }, nil},
	}
}

func auditOperations(w *authtest.World) []operation {
	var now time.Time
	w.Must(w.Pool.QueryRow(w.Context(), "SELECT now()").Scan(&now))
	event := func() audit.Event { return audit.Event{ID: id.New("evt"), At: now, Action: audit.SignIn} }
	one, two, three := event(), event(), event()
	all := []operation{
		{"add an event", func(ctx context.Context) error { return w.Store.AddEvents(ctx, []audit.Event{one}) }, nil},
		{"add two events", func(ctx context.Context) error { return w.Store.AddEvents(ctx, []audit.Event{two, three}) }, nil},
		{"make a partition", func(ctx context.Context) error { _, err := w.Store.MakeAuditPartition(ctx, now); return err }, nil},
		{"make the next partitions", w.Store.MakeNextAuditPartitions, nil},
		{"drop old partitions", w.Store.DropAuditPartitions, nil},
		{"append only", func(ctx context.Context) error { _, err := w.Store.AuditIsAppendOnly(ctx); return err }, nil},
	}
	for name, q := range map[string]auditlog.Query{
		"all": {}, "an action": {Actions: []string{string(audit.SignIn)}}, "a person": {PersonID: "usr"}, "an app": {AppID: "app"}, "an account": {AccountID: "dev"},
	} {
		q.After, q.AtMost = auditlog.Position{At: now.Add(time.Hour)}, 10
		all = append(all, operation{"events of " + name, func(ctx context.Context) error { _, err := w.Store.Events(ctx, q); return err }, nil})
	}
	return all
}
