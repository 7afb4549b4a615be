package grant

import (
	"context"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
	"vitae.internal/pkg/id"
	"vitae.internal/services/auth/internal/oauth/client"
	"vitae.internal/services/auth/internal/oauth/pkce"
)

// Exchange is a token request with grant_type=authorization_code.
type Exchange struct {
	Client      client.Credentials
	Code        string
	RedirectURI string
	Verifier    string
}

// ExchangeCode redeems an authorization code. Errors: OAUTH_INVALID_CLIENT,
// DEVELOPER_ACCOUNT_SUSPENDED, OAUTH_UNAUTHORIZED_CLIENT, OAUTH_INVALID_REQUEST,
// OAUTH_INVALID_GRANT.
func (s *Service) ExchangeCode(ctx context.Context, e Exchange) (Tokens, error) {
	if err := checkExchange(e); err != nil {
		return Tokens{}, s.refuse(ctx, e.Client, err)
	}
	if !e.Client.Known() {
		return Tokens{}, client.ErrInvalid
	}
	tokens, issue := s.mint()
	scopes, won, err := s.store.RedeemCode(ctx, Redemption{
		Client: e.Client.Prove(), Code: credential.Hash(e.Code),
		RedirectURI: e.RedirectURI, Challenge: pkce.Challenge(e.Verifier), FamilyID: id.New("fam"),
	}, issue)
	if err != nil {
		return Tokens{}, err
	}
	if !won {
		c, err := client.Authenticate(ctx, s.store, e.Client, s.clock.Now())
		if err != nil {
			return Tokens{}, err
		}
		err = s.whyNotRedeemed(ctx, c, e)
		if errs.HasCode(err, ErrInvalidGrant.Code) && !c.MayUseGrants() {
			err = ErrUnauthorizedClient
		}
		return Tokens{}, err
	}
	tokens.Scopes = scopes
	return tokens, nil
}

func checkExchange(e Exchange) error {
	switch {
	case e.Code == "":
		return invalidRequest("code", "The parameter code is missing.")
	case e.RedirectURI == "":
		return invalidRequest("redirect_uri", "The parameter redirect_uri is missing.")
	case e.Verifier == "":
		return invalidRequest("code_verifier", "The parameter code_verifier is missing.")
	case !pkce.ValidVerifier(e.Verifier):
		return invalidRequest("code_verifier", "The parameter code_verifier is malformed.")
	case !credential.WellFormed(credential.AuthorizationCode, e.Code):
		return invalidGrant(malformedCode)
	case !fault.IsStorable(e.RedirectURI):
		return invalidGrant(otherRedirect)
	}
	return nil
}

// Each of these reasons for rejecting a code is used several times.
const (
	malformedCode = "The code is malformed. It may be cut short, or a token in place of a code."
	otherRedirect = "The redirect_uri is not the one of the authorization request."
)

// whyNotRedeemed determines why a code was rejected. If a client presents its own consumed code again, the family
// from the first exchange is revoked, regardless of the interface and the other parameters. A legacy exchange has
// neither a redirect_uri nor a verifier.
func (s *Service) whyNotRedeemed(ctx context.Context, c client.Client, e Exchange) error {
	code, found, err := s.store.Code(ctx, credential.Hash(e.Code))
	if err != nil {
		return err
	}
	switch {
	case !found || code.AppID != c.App.ID:
		return invalidGrant("The app has no such code. It was issued to another app, or expired long ago.")
	case code.Used:
		return s.endFamily(ctx, code.FamilyID, "The code was used before. The tokens that it was exchanged for have ended.")
	case code.Revoked:
		return invalidGrant("The person has disconnected the app, or taken permissions back, since the code was issued.")
	case !code.ExpiresAt.After(s.clock.Now()):
		return invalidGrant("The code has expired. A code is valid for ten minutes.")
	case e.Verifier != "" && code.RedirectURI != e.RedirectURI:
		return invalidGrant(otherRedirect)
	case e.Verifier != "" && code.Challenge != pkce.Challenge(e.Verifier):
		return invalidGrant("The code_verifier does not match the code_challenge of the authorization request.")
	default:
		return invalidGrant("The connection has ended, or the app has given up the redirect URI or the scopes, since the code was issued.")
	}
}
