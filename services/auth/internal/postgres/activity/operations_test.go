package activity_test

import (
	"context"
	"testing"
	"time"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/id"
	"vitae.internal/pkg/testkit"
	"vitae.internal/services/auth/internal/activity/auditlog"
	"vitae.internal/services/auth/internal/activity/requestlog"
	"vitae.internal/services/auth/internal/activity/usage"
	"vitae.internal/services/auth/internal/authtest"
)

func TestMain(m *testing.M) { testkit.Main(m) }

func TestFailedStatementFailsTheCall(t *testing.T) {
	t.Parallel()
	authtest.CheckFaults(t, usageOperations, auditOperations)
}

func TestChangeHasOneAuditEvent(t *testing.T) {
	t.Parallel()
	authtest.CheckEvents(t, usageOperations, auditOperations)
}

func usageOperations(w *authtest.World) []authtest.Operation {
	a, now := w.Confidential(), w.Clock.Now()
	day := usage.DayOf(now)
	w.Must(w.Stores.Usage.MakePartitions(w.Context(), day, day))
	batch := usage.Batch{
		ID: id.New("bat"), Counts: []usage.Count{{AccountID: a.AccountID, Day: day, AppID: a.App.ID, Requests: 1, Metered: 1}},
		Entries: []requestlog.Entry{{At: now, RequestID: id.New("req"), AccountID: a.AccountID, AppID: a.App.ID}},
	}
	requests := func(appID string) func(context.Context) error {
		return func(ctx context.Context) error {
			_, err := w.Stores.Usage.Requests(ctx, requestlog.Query{AccountID: a.AccountID, Filter: requestlog.Filter{AppID: appID}, Since: day, After: requestlog.Position{At: now}, AtMost: 1})
			return err
		}
	}
	return []authtest.Operation{
		{"apply a batch", func(ctx context.Context) error { return w.Stores.Usage.Apply(ctx, batch, now) }, nil},
		{"apply it again", func(ctx context.Context) error { return w.Stores.Usage.Apply(ctx, batch, now) }, nil},
		{"spent", func(ctx context.Context) error { _, err := w.Stores.Usage.Spent(ctx, a.AccountID, day); return err }, nil},
		{"usage", func(ctx context.Context) error {
			_, err := w.Stores.Usage.Usage(ctx, usage.Listing{AccountID: a.AccountID, From: day, To: day})
			return err
		}, nil},
		{"requests", requests(""), nil},
		{"requests of an app", requests(a.App.ID), nil},
		{"make partitions", func(ctx context.Context) error { return w.Stores.Usage.MakePartitions(ctx, day, day.AddDate(0, 0, 1)) }, nil},
		{"drop partitions", func(ctx context.Context) error { return w.Stores.Usage.DropPartitions(ctx, day.AddDate(0, 0, -1)) }, nil},
		{"delete batches", func(ctx context.Context) error { _, err := w.Stores.Usage.DeleteBatches(ctx, day, 10); return err }, nil},
		{"delete what is dead", func(ctx context.Context) error { _, err := w.Stores.Cleanup.DeleteDead(ctx, day, 10); return err }, nil},
		{"delete what is idle", func(ctx context.Context) error {
			_, err := w.Stores.Cleanup.DeleteIdle(ctx, time.Unix(0, 0), 10)
			return err
		}, nil},
	}
}

func auditOperations(w *authtest.World) []authtest.Operation {
	var now time.Time
	w.Must(w.Pool.QueryRow(w.Context(), "SELECT now()").Scan(&now))
	event := func() audit.Event { return audit.Event{ID: id.New("evt"), At: now, Action: audit.SignIn} }
	one, two, three := event(), event(), event()
	all := []authtest.Operation{
		{"add an event", func(ctx context.Context) error { return w.Stores.Audit.AddEvents(ctx, []audit.Event{one}) }, nil},
		{"add two events", func(ctx context.Context) error { return w.Stores.Audit.AddEvents(ctx, []audit.Event{two, three}) }, nil},
		{"make a partition", func(ctx context.Context) error { _, err := w.Stores.Audit.MakeAuditPartition(ctx, now); return err }, nil},
		{"make the next partitions", w.Stores.Audit.MakeNextAuditPartitions, nil},
		{"drop old partitions", w.Stores.Audit.DropAuditPartitions, nil},
		{"append only", func(ctx context.Context) error { _, err := w.Stores.Audit.IsAppendOnly(ctx); return err }, nil},
	}
	for name, q := range map[string]auditlog.Query{
		"all": {}, "an action": {Actions: []string{string(audit.SignIn)}}, "a person": {PersonID: "usr"}, "an app": {AppID: "app"}, "an account": {AccountID: "dev"},
	} {
		q.After, q.AtMost = auditlog.Position{At: now.Add(time.Hour)}, 10
		all = append(all, authtest.Operation{"events of " + name, func(ctx context.Context) error { _, err := w.Stores.Audit.Events(ctx, q); return err }, nil})
	}
	return all
}
