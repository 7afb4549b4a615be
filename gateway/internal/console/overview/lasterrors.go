package overview

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"
	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/gateway/internal/console/requests"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// lastErrors summarizes the errors of the last hour.
type lastErrors struct {
	// Client counts the responses with status 4xx. Server counts those with status 5xx.
	Client, Server errorCount
	// Codes are the most frequent kinds of errors in both classes.
	Codes []errorKind
	// Counted is the maximum number of errors counted per class.
	Counted int
}

// errorCount is a number of errors, together with the path of the log that lists them.
type errorCount struct {
	Class string
	Count int
	// More reports whether there are more errors than Count.
	More bool
	Path string
}

// errorKind is the combination of a status and an error code.
type errorKind struct {
	Status int32
	Code   string
	Count  int
	Path   string
}

const (
	// maxErrors is the maximum number of errors counted per class.
	maxErrors  = 200
	kindsShown = 5
)

// lastErrors reads the errors of the last hour from the request log.
func (h handlers) lastErrors(ctx context.Context, accountID string, now time.Time) (lastErrors, error) {
	from := now.Add(-time.Hour).Truncate(time.Minute)
	since := from.Format("2006-01-02T15:04")
	all := lastErrors{Counted: maxErrors}
	var entries [2][]*authv1.RequestEntry
	work, ctx := errgroup.WithContext(ctx)
	for i, count := range []*errorCount{&all.Client, &all.Server} {
		*count = errorCount{Class: []string{"4xx", "5xx"}[i]}
		work.Go(func() error {
			found, err := h.usages.ListRequests(ctx, &authv1.ListRequestsRequest{
				AccountId: accountID, Status: count.Class, From: timestamppb.New(from), PageSize: maxErrors,
			})
			entries[i] = found.GetRequests()
			count.Count, count.More = len(entries[i]), found.GetNextPageToken() != ""
			count.Path = requests.Filter{From: since, Status: count.Class}.Address()
			return err
		})
	}
	if err := work.Wait(); err != nil {
		return lastErrors{}, err
	}
	all.Codes = kindsOf(since, slices.Concat(entries[0], entries[1]))
	return all, nil
}

// kindsOf counts requests by status and code. since is the value of the log filter in the links.
func kindsOf(since string, entries []*authv1.RequestEntry) []errorKind {
	counts := map[errorKind]int{}
	for _, r := range entries {
		counts[errorKind{Status: r.GetStatus(), Code: r.GetErrorCode()}]++
	}
	kinds := make([]errorKind, 0, len(counts))
	for kind, n := range counts {
		kind.Count = n
		kind.Path = requests.Filter{From: since, Status: strconv.Itoa(int(kind.Status)), ErrorCode: kind.Code}.Address()
		kinds = append(kinds, kind)
	}
	slices.SortFunc(kinds, func(a, b errorKind) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Status, b.Status), cmp.Compare(a.Code, b.Code))
	})
	return kinds[:min(kindsShown, len(kinds))]
}
