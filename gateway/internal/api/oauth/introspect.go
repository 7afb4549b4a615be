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

// activeToken describes a live token of the client
// (behaviour: tokens#introspection).
type activeToken struct {
	Active       bool   `json:"active"`
	Scope        string `json:"scope"`
	ClientID     string `json:"client_id"`
	TokenType    string `json:"token_type"`
	Subject      string `json:"sub"`
	Expiry       *int64 `json:"exp"`
	ConnectionID string `json:"connection_id"`
}

// inactiveToken is the answer for every other token
// (behaviour: tokens#introspection).
type inactiveToken struct {
	Active bool `json:"active"`
}

// Introspection answers POST /oauth/introspect. All of it is required.
type Introspection struct {
	Auth    authv1.OAuthServiceClient
	Clients *admission.Clients
	// Reading reads session records when it spends a request, and Records tells what they
	// say.
	Reading admission.Reading
	Records *introspection.Reader
}

// Introspect serves POST /oauth/introspect (RFC 7662). A live access token of a confidential
// client is described from session records, if both are in Redis; auth is asked about
// everything else.
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
		answer.WriteJSON(w, http.StatusOK, fromRecord(req.client.GetClientId(), described))
		return nil
	}
	ask := &authv1.IntrospectTokenRequest{Client: req.client, Token: token}
	ask.LeaveClientRecord, ask.LeaveTokenRecord = i.Records.ShouldRecord(q, found)
	resp, err := i.Auth.IntrospectToken(r.Context(), ask, req.learn())
	if err != nil {
		return err
	}
	i.Records.Learn(q, grpcx.ActingOf(*req.told).AccountID)
	if !resp.GetActive() {
		answer.WriteJSON(w, http.StatusOK, inactiveToken{})
		return nil
	}
	answer.WriteJSON(w, http.StatusOK, activeToken{
		Active:       true,
		Scope:        strings.Join(resp.GetScopes(), " "),
		ClientID:     resp.GetClientId(),
		TokenType:    tokenType,
		Subject:      resp.GetPersonId(),
		Expiry:       expiry(resp.GetExpiresAt()),
		ConnectionID: resp.GetConnectionId(),
	})
	return nil
}

// fromRecord describes a token of the client.
func fromRecord(clientID string, record *authv1.SessionRecord) activeToken {
	p := record.GetPrincipal()
	return activeToken{
		Active: true, Scope: strings.Join(p.GetScopes(), " "), ClientID: clientID, TokenType: tokenType,
		Subject: p.GetPersonId(), Expiry: expiry(record.GetExpiresAt()), ConnectionID: p.GetConnectionId(),
	}
}

// expiry is the end of the token as a Unix timestamp, nil if it does not expire.
func expiry(end *timestamppb.Timestamp) *int64 {
	if end == nil {
		return nil
	}
	seconds := end.GetSeconds()
	return &seconds
}
