package grpcx

import "google.golang.org/grpc/metadata"

// Keys of an Acting in the trailer of a call.
const (
	actingAppKey     = "vitae-acting-app"
	actingAccountKey = "vitae-acting-account"
)

// Acting identifies the app that authenticated in a call, and the app's account. The server sends
// it in the trailer, because the gateway cannot know it before the call, for example when a client
// authenticates. It is empty if no app authenticated.
type Acting struct{ AppID, AccountID string }

// Trailer returns a as the trailer of a call.
func (a Acting) Trailer() metadata.MD {
	return metadata.Pairs(actingAppKey, a.AppID, actingAccountKey, a.AccountID)
}

// ActingOf reads an Acting from the trailer of a call.
func ActingOf(trailer metadata.MD) (a Acting) {
	if v := trailer.Get(actingAppKey); len(v) == 1 {
		a.AppID = v[0]
	}
	if v := trailer.Get(actingAccountKey); len(v) == 1 {
		a.AccountID = v[0]
	}
	return a
}
