package revocation_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/credential"
	"vitae.internal/services/auth/internal/credentials/revocation"
)

func TestJobPublishesEntriesUpTo5MinutesOld(t *testing.T) {
	t.Parallel()
	records, box, c := &faulty{upAfter: 1 << 30}, &outbox{entries: []revocation.Entry{entry()}}, clock.NewFake(start)
	round := round(t, publisher(t, records, box, time.Hour, c))
	at := func(age time.Duration, calls, left int) {
		t.Helper()
		c.Advance(age - c.Now().Sub(start))
		if err := round(t.Context()); err != nil || records.calls != calls || len(box.entries) != left {
			t.Errorf("at the age of %v: %d calls, %d entries left, %v", age, records.calls, len(box.entries), err)
		}
	}
	at(2*time.Second, 0, 1)
	at(2*time.Second+time.Microsecond, 1, 1)
	at(5*time.Minute, 2, 1)
	at(5*time.Minute+time.Microsecond, 3, 0)
}

func TestJobPublishesAllPendingEntries(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 99, 100, 101, 250} {
		records, box, c := &faulty{}, &outbox{}, clock.NewFake(start)
		for i := range n {
			e := entry()
			e.ID = int64(i + 1)
			box.entries = append(box.entries, e)
		}
		round := round(t, publisher(t, records, box, time.Hour, c))
		c.Advance(time.Minute)
		if err := round(t.Context()); err != nil || len(box.entries) != 0 || len(records.done) != n {
			t.Errorf("of %d entries, %d are left and %d were published, %v", n, len(box.entries), len(records.done), err)
		}
	}
}

// broken is an outbox whose operations can be made to fail.
type broken struct {
	outbox
	list, remove, hashes error
	hashesRead           int
}

func (b *broken) PendingRevocations(ctx context.Context, before time.Time, atMost int) ([]revocation.Entry, error) {
	if b.list != nil {
		return nil, b.list
	}
	return b.outbox.PendingRevocations(ctx, before, atMost)
}

func (b *broken) DeleteRevocation(ctx context.Context, id int64) error {
	return errors.Join(b.remove, b.outbox.DeleteRevocation(ctx, id))
}

func (b *broken) ConnectionHashes(ctx context.Context, e revocation.Entry) ([]credential.Digest, error) {
	if b.hashesRead++; b.hashes != nil && b.hashesRead == 1 {
		return nil, b.hashes
	}
	return b.outbox.ConnectionHashes(ctx, e)
}

func TestJobReportsErrors(t *testing.T) {
	t.Parallel()
	down := errors.New("down")
	for name, box := range map[string]*broken{"list": {list: down}, "remove": {remove: down}} {
		box.entries = []revocation.Entry{entry()}
		c := clock.NewFake(start.Add(time.Minute))
		if err := round(t, publisher(t, &faulty{}, box, time.Hour, c))(t.Context()); !errors.Is(err, down) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A connection's hashes are read only once, after the commit, because a credential issued between two attempts
// cannot have a stale record.
func TestEntrySelectsItsRecords(t *testing.T) {
	t.Parallel()
	connection, account := entry(), entry()
	connection.ConnectionID, connection.Hashes = "con_1", nil
	account.WholeAccount, account.Hashes = true, nil
	named := entry()
	named.Hashes = []credential.Digest{{7}}
	for name, c := range map[string]struct {
		e     revocation.Entry
		want  revocation.Entry
		reads int
	}{
		"credentials": {named, revocation.Entry{AccountID: "dev_1", Hashes: []credential.Digest{{7}}}, 0},
		"connection":  {connection, revocation.Entry{AccountID: "dev_1", Hashes: []credential.Digest{{1}}}, 1},
		"account":     {account, revocation.Entry{AccountID: "dev_1", WholeAccount: true}, 0},
	} {
		records, box := &faulty{upAfter: 1}, &broken{}
		if err := publishEntry(t.Context(), t, publisher(t, records, box, time.Hour, clock.System{}), c.e); err != nil {
			t.Fatal(err)
		}
		if len(records.done) != 1 || box.hashesRead != c.reads {
			t.Fatalf("%s: deleted %v, hashes read %d times", name, records.done, box.hashesRead)
		}
		got := records.done[0]
		if got.AccountID != c.want.AccountID || got.WholeAccount != c.want.WholeAccount || !slices.Equal(got.Hashes, c.want.Hashes) {
			t.Errorf("%s: %+v", name, got)
		}
	}
	records, box := &faulty{}, &broken{hashes: errors.New("down")}
	if err := publishEntry(t.Context(), t, publisher(t, records, box, time.Hour, clock.System{}), connection); err != nil || box.hashesRead != 2 || len(records.done) != 1 {
		t.Errorf("with unreadable hashes: %v; read %d times, deleted %v", err, box.hashesRead, records.done)
	}
	if err := publishEntry(t.Context(), t, publisher(t, &faulty{upAfter: 1 << 30}, &outbox{}, time.Hour, clock.System{}), revocation.Entry{}); err != nil {
		t.Errorf("the zero entry: %v", err)
	}
}
