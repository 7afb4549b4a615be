package grpcx

import "google.golang.org/grpc/metadata"

// Keys of an Acting in the trailer of a call.
const (
	actingAppKey     = "vitae-acting-app"
	actingAccountKey = "vitae-acting-account"
)

// Acting is the app for which a call has turned out to be made, and the account that owns
// it, as the server tells in the trailer of its answer: the gateway cannot know it before, as
// when a client authenticates. Empty if nobody has.
type Acting struct{ AppID, AccountID string }

// Trailer gives it as the trailer of a call.
func (a Acting) Trailer() metadata.MD {
	return metadata.Pairs(actingAppKey, a.AppID, actingAccountKey, a.AccountID)
}

// ActingOf reads the trailer of a call.
func ActingOf(trailer metadata.MD) (a Acting) {
	if v := trailer.Get(actingAppKey); len(v) == 1 {
		a.AppID = v[0]
	}
	if v := trailer.Get(actingAccountKey); len(v) == 1 {
		a.AccountID = v[0]
	}
	return a
}
