package console

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"
	"google.golang.org/protobuf/types/known/timestamppb"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// lastErrors are the requests of the last hour that were answered with an error.
type lastErrors struct {
	// Client and Server are those of 4xx and 5xx.
	Client, Server errorCount
	// Codes are the kinds of both, the most frequent first.
	Codes []errorKind
	// Counted is how many of each class are read at most.
	Counted int
}

// errorCount is a number of errors, with the address of the log that lists them.
type errorCount struct {
	Class string
	Count int
	// More means that there are more than were counted.
	More bool
	Path string
}

// errorKind is a status with its code.
type errorKind struct {
	Status int32
	Code   string
	Count  int
	Path   string
}

// errorsCounted bounds how many errors of each class are read, kindsShown how many kinds
// are shown.
const (
	errorsCounted = 200
	kindsShown    = 5
)

// lastErrors reads the errors of the last hour from the log.
func (c *Console) lastErrors(ctx context.Context, accountID string, now time.Time) (lastErrors, error) {
	from := now.Add(-time.Hour).Truncate(time.Minute)
	since := from.Format("2006-01-02T15:04")
	var client, server *authv1.ListRequestsResponse
	work, ctx := errgroup.WithContext(ctx)
	for class, into := range map[string]**authv1.ListRequestsResponse{"4xx": &client, "5xx": &server} {
		work.Go(func() (err error) {
			*into, err = c.usages.ListRequests(ctx, &authv1.ListRequestsRequest{
				AccountId: accountID, Status: class, From: timestamppb.New(from), PageSize: errorsCounted,
			})
			return err
		})
	}
	if err := work.Wait(); err != nil {
		return lastErrors{}, err
	}
	count := func(class string, found *authv1.ListRequestsResponse) errorCount {
		return errorCount{class, len(found.GetRequests()), found.GetNextPageToken() != "", requestFilter{From: since, Status: class}.address(requestsPath)}
	}
	return lastErrors{
		Counted: errorsCounted,
		Client:  count("4xx", client), Server: count("5xx", server),
		Codes: kindsOf(since, append(slices.Clone(client.GetRequests()), server.GetRequests()...)),
	}, nil
}

// kindsOf counts requests since a time, as the log's filter writes it, by status and code.
func kindsOf(since string, requests []*authv1.RequestEntry) []errorKind {
	counts := map[errorKind]int{}
	for _, r := range requests {
		counts[errorKind{Status: r.GetStatus(), Code: r.GetErrorCode()}]++
	}
	kinds := make([]errorKind, 0, len(counts))
	for kind, n := range counts {
		kind.Count = n
		kind.Path = requestFilter{From: since, Status: strconv.Itoa(int(kind.Status)), ErrorCode: kind.Code}.address(requestsPath)
		kinds = append(kinds, kind)
	}
	slices.SortFunc(kinds, func(a, b errorKind) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Status, b.Status), cmp.Compare(a.Code, b.Code))
	})
	return kinds[:min(kindsShown, len(kinds))]
}
