package grant

import (
	"context"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
	"vitae.internal/pkg/id"
	"vitae.internal/services/auth/internal/client"
	"vitae.internal/services/auth/internal/pkce"
)

// Exchange is a request with grant_type=authorization_code.
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
		err = s.whyNotRedeemed(ctx, c, e.Code)
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
	case !credential.WellFormed(credential.AuthorizationCode, e.Code), !fault.IsStorable(e.RedirectURI):
		return ErrInvalidGrant
	}
	return nil
}

// whyNotRedeemed finds the reason. If a client presents its own used code again, the
// family that the first exchange issued ends, whatever the other parameters are and
// whichever interface it presents the code to.
func (s *Service) whyNotRedeemed(ctx context.Context, c client.Client, presented string) error {
	code, found, err := s.store.Code(ctx, credential.Hash(presented))
	if err != nil {
		return err
	}
	if found && code.AppID == c.App.ID && code.Used {
		return s.endFamily(ctx, code.FamilyID)
	}
	return ErrInvalidGrant
}
