package usage

import (
	"net/http"
	"sync"
	"time"

	"vitae.internal/gateway/internal/chain"
)

const (
	// batchEntries is the number of entries in a full batch. A full batch is sent immediately.
	batchEntries = 1000
	// batchCounts is the maximum number of counts in a batch that the contract allows.
	batchCounts = 5000
	// maxCounts limits the number of waiting rows, which take up to about 20 MB. There is one row for each key
	// that has been used since the last batch.
	maxCounts = 100_000
)

// metered reports whether a request was charged to its account's budget.
func metered(r chain.Record) bool { return !r.ChargedAt.IsZero() }

// dayFor returns the UTC day to which a request is charged (behaviour: usage#day-of-a-request). For a metered
// request, this is the day on the counter's clock, because a counter that Redis has lost restarts from the
// usage recorded for its day.
func dayFor(r chain.Record) int64 {
	if metered(r) {
		return dayOf(r.ChargedAt)
	}
	return dayOf(r.At)
}

// row identifies a count.
type row struct {
	day                        int64 // days since 1970, UTC
	accountID, appID, apiKeyID string
}

type tally struct{ requests, metered, failed, refused, redirected, serverFailed int64 }

// buffer holds requests that are not in a batch yet. It is safe for concurrent use.
type buffer struct {
	most int // maximum number of entries

	mu sync.Mutex
	// full holds complete batches of entries, oldest first. open is the batch that is being filled.
	full   [][]chain.Record
	open   []chain.Record
	counts map[row]tally
	// usual is the number of entries in the last batch. It determines the initial capacity of the next one.
	usual int
}

func newBuffer(most int) *buffer { return &buffer{most: most, counts: map[row]tally{}} }

// add adds a request. It reports whether a batch is now full, and whether the entry or the count was
// dropped because the buffer is full.
func (b *buffer) add(e chain.Record) (whole, entryLost, countLost bool) {
	at := row{day: dayFor(e), accountID: e.AccountID, appID: e.AppID, apiKeyID: e.APIKeyID}
	b.mu.Lock()
	defer b.mu.Unlock()
	t, known := b.counts[at]
	if countLost = !known && len(b.counts) >= maxCounts; !countLost {
		t.add(e)
		b.counts[at] = t
	}
	if len(b.full)*batchEntries+len(b.open) >= b.most {
		return false, true, countLost
	}
	if b.open == nil {
		b.open = make([]chain.Record, 0, min(b.usual+b.usual/8+1, batchEntries))
	}
	b.open = append(b.open, e)
	if len(b.open) == batchEntries {
		b.full, b.open = append(b.full, b.open), nil
		whole = true
	}
	return whole, false, countLost
}

func (t *tally) add(e chain.Record) {
	t.requests++
	if metered(e) {
		t.metered++
	}
	switch {
	case e.Status >= http.StatusInternalServerError:
		t.failed++
		t.serverFailed++
	case e.Status >= http.StatusBadRequest:
		t.failed++
	case e.Status >= http.StatusMultipleChoices:
		t.redirected++
	}
	if e.Limits.RefusedBy != "" {
		t.refused++
	}
}

// take removes and returns the content of the next batch. Both results are empty if nothing is waiting.
func (b *buffer) take() (entries []chain.Record, counts map[row]tally) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.full) > 0 {
		entries, b.full = b.full[0], b.full[1:]
	} else {
		entries, b.open = b.open, nil
	}
	if len(entries) > 0 {
		b.usual = len(entries)
	}
	if len(b.counts) <= batchCounts {
		counts, b.counts = b.counts, map[row]tally{}
		return entries, counts
	}
	counts = make(map[row]tally, batchCounts)
	for at, t := range b.counts {
		if len(counts) == batchCounts {
			break
		}
		counts[at] = t
		delete(b.counts, at)
	}
	return entries, counts
}

// batches returns the number of waiting batches.
func (b *buffer) batches() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	ofEntries := len(b.full)
	if len(b.open) > 0 {
		ofEntries++
	}
	return max(ofEntries, (len(b.counts)+batchCounts-1)/batchCounts)
}

func (b *buffer) fullBatches() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.full)
}

// left returns the number of waiting entries and counts.
func (b *buffer) left() (entries, counts int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.full)*batchEntries + len(b.open), len(b.counts)
}

const daySeconds = 24 * 60 * 60

func dayOf(t time.Time) int64 { return t.Unix() / daySeconds }

// dayName formats a day as YYYY-MM-DD.
func dayName(day int64) string { return time.Unix(day*daySeconds, 0).UTC().Format(time.DateOnly) }
