package oauth

import (
	"net/http"
	"strings"

	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/gateway/internal/admission"
	"vitae.internal/gateway/internal/admission/introspection"
	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/chain"
	"vitae.internal/gateway/internal/parameters"
	"vitae.internal/pkg/grpcx"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// activeToken is the response for a live token of the client (behaviour: tokens#introspection).
type activeToken struct {
	Active       bool   `json:"active"`
	Scope        string `json:"scope"`
	ClientID     string `json:"client_id"`
	TokenType    string `json:"token_type"`
	Subject      string `json:"sub"`
	Expiry       *int64 `json:"exp"`
	ConnectionID string `json:"connection_id"`
}

// inactiveToken is the response for all other tokens.
type inactiveToken struct {
	Active bool `json:"active"`
}

// Introspection holds the dependencies of Introspect. All of them are required.
type Introspection struct {
	Auth    authv1.OAuthServiceClient
	Clients *admission.Clients
	// Reading charges requests and reads session records. Records interprets them.
	Reading admission.Reading
	Records *introspection.Reader
}

// Introspect serves POST /oauth/introspect (RFC 7662). For a live access token of a confidential client, it
// responds from the session records of the client and the token if both are in Redis. Otherwise it calls
// the auth service.
func Introspect(i Introspection) http.HandlerFunc {
	return formReading(i.admit, i.Clients, i.handle)
}

func (i Introspection) admit(r *http.Request, claimed admission.Client, body parameters.Set) (read, func(), error) {
	q := i.Records.Question(claimed.ID, claimed.Secret, body.Get("token"))
	found, end, err := i.Clients.AdmitReading(r, claimed, i.Reading, q.Lookup())
	return read{q, found}, end, err
}

func (i Introspection) handle(w http.ResponseWriter, r *http.Request, req request) error {
	token, err := req.need("token")
	if err != nil {
		return err
	}
	q, found := req.read.question, req.read.found
	if !q.Of(req.client.GetClientId(), req.client.ClientSecret, token) {
		q, found = introspection.Question{}, nil
	}
	if client, described := i.Records.Answer(q, found); described != nil {
		chain.ExchangeOf(r.Context()).Caller = chain.Caller{
			AccountID: client.GetPrincipal().GetAccountId(), AppID: client.GetPrincipal().GetAppId(),
		}
		p := described.GetPrincipal()
		writeActive(w, req.client.GetClientId(), p.GetPersonId(), p.GetConnectionId(), p.GetScopes(), described.GetExpiresAt())
		return nil
	}
	ask := &authv1.IntrospectTokenRequest{Client: req.client, Token: token}
	ask.LeaveClientRecord, ask.LeaveTokenRecord = i.Records.ShouldRecord(q, found)
	resp, err := i.Auth.IntrospectToken(r.Context(), ask, req.withApp())
	if err != nil {
		return err
	}
	i.Records.Learn(q, grpcx.ActingOf(*req.trailer).AccountID)
	if !resp.GetActive() {
		answer.WriteJSON(w, http.StatusOK, inactiveToken{})
		return nil
	}
	writeActive(w, resp.GetClientId(), resp.GetPersonId(), resp.GetConnectionId(), resp.GetScopes(), resp.GetExpiresAt())
	return nil
}

// writeActive writes the response for a live token. expiry is nil if the token does not expire.
func writeActive(w http.ResponseWriter, clientID, personID, connectionID string, scopes []string, expiry *timestamppb.Timestamp) {
	t := activeToken{
		Active: true, Scope: strings.Join(scopes, " "), ClientID: clientID, TokenType: tokenType, Subject: personID, ConnectionID: connectionID,
	}
	if expiry != nil {
		t.Expiry = &expiry.Seconds
	}
	answer.WriteJSON(w, http.StatusOK, t)
}
