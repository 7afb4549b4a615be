package state_test

import (
	"context"
	"testing"
	"time"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/sessionrecord"
	"vitae.internal/services/auth/internal/credentials/revocation"
	"vitae.internal/services/auth/internal/platform/account"
	"vitae.internal/services/auth/internal/platform/app"
)

const (
	clientID  = "svc_ci_1"
	clientApp = "app_2"
)

var (
	secret    = credential.Hash("the secret")
	clientKey = credential.ClientDigest(clientID, secret)
)

// confidential adds a confidential app with one secret.
func (s *scene) confidential() {
	s.Helper()
	s.exec(`INSERT INTO apps (id, account_id, name, logo_url, client_id, client_type, redirect_uris, scopes, legacy, created_at)
		VALUES ($1, $2, 'n', '', $3, 'confidential', '{}', '{profile}', false, $4)`, clientApp, accountID, clientID, now)
	s.exec(`INSERT INTO client_secrets (id, app_id, hash, created_at, created_by) VALUES ('sec_1', $1, $2, $3, '')`, clientApp, secret[:], now)
}

// held reports whether a gateway replica would find a record.
func (s *scene) held(hash credential.Digest) bool {
	s.Helper()
	stored, err := sessionrecord.Read(s.Context(), s.rdb, sessionrecord.Ref{AccountID: accountID, Hash: hash})
	if err != nil {
		s.Fatal(err)
	}
	return stored != nil
}

// keep replaces the app's live secret with the secrets that kept returns.
func (s *scene) keep(kept func(app.ClientSecret) []app.ClientSecret) (revocation.Entry, error) {
	changed, err := s.stores.Apps.ChangeClientSecrets(context.Background(), clientApp, now,
		func(_ app.App, live []app.ClientSecret) ([]app.ClientSecret, *app.NewSecret, error) {
			return kept(live[0]), nil, nil
		})
	return changed.Revocation, err
}

// clientEnds holds changes that revoke a client's secret or delete all session records of its account.
var clientEnds = map[string]func(*scene) (revocation.Entry, error){
	"the deletion of the secret": func(s *scene) (revocation.Entry, error) {
		return s.keep(func(app.ClientSecret) []app.ClientSecret { return nil })
	},
	"the deletion of the app": func(s *scene) (revocation.Entry, error) {
		return s.stores.Apps.DeleteApp(context.Background(), clientApp, now, func(app.App) error { return nil })
	},
	"the end of the account": func(s *scene) (revocation.Entry, error) {
		return s.stores.Accounts.CloseAccount(context.Background(), accountID, now, func(account.Account) error { return nil })
	},
}

func TestClientEndDuringFillWins(t *testing.T) {
	t.Parallel()
	for name, end := range clientEnds {
		t.Run(name, func(t *testing.T) {
			s := newScene(t)
			s.confidential()
			s.duringFill(false, func() { s.publish(end(s)) })
			s.service.LeaveClient(t.Context(), accountID, clientID, secret)
			if s.fills == 0 {
				t.Fatal("no record was filled, so the test proves nothing")
			}
			s.noRecord(clientKey)
		})
	}
}

func TestRecordHasExpiryOfItsSecret(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.confidential()
	end := now.Add(3 * time.Second)
	s.duringFill(false, func() {
		s.publish(s.keep(func(c app.ClientSecret) []app.ClientSecret {
			c.ExpiresAt = &end
			return []app.ClientSecret{c}
		}))
	})
	s.service.LeaveClient(t.Context(), accountID, clientID, secret)
	ref := sessionrecord.Ref{AccountID: accountID, Hash: clientKey}
	stored, err := sessionrecord.Read(t.Context(), s.rdb, ref)
	if err != nil || stored == nil {
		t.Fatalf("Redis holds %v, %v", stored, err)
	}
	if held, err := s.seal().Open(ref, stored, now); err != nil || !held.GetExpiresAt().AsTime().Equal(end) {
		t.Errorf("Redis holds %v, %v", held, err)
	}
	record, _ := ref.Keys()
	if left := s.rdb.PTTL(t.Context(), record).Val(); left > 3*time.Second {
		t.Errorf("the record expires in %s", left)
	}
}

func TestSuspensionDuringClientFillWins(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.confidential()
	s.duringFill(false, func() {
		_, entry, err := s.stores.Accounts.SuspendAccount(context.Background(), accountID, "", now, nil)
		s.publish(entry, err)
	})
	s.service.LeaveClient(t.Context(), accountID, clientID, secret)
	ref := sessionrecord.Ref{AccountID: accountID, Hash: clientKey}
	stored, err := sessionrecord.Read(t.Context(), s.rdb, ref)
	if err != nil || stored == nil {
		t.Fatalf("Redis holds %v, %v", stored, err)
	}
	if held, err := s.seal().Open(ref, stored, now); err != nil || !held.GetAccountSuspended() {
		t.Errorf("Redis holds %v, %v", held, err)
	}
}

func TestRevokeDuringIntrospectionFillWins(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.duringFill(false, func() { s.publish(s.stores.Grants.RevokeAccess(context.Background(), appID, token, now)) })
	s.service.LeaveToken(t.Context(), accountID, token)
	if s.fills == 0 {
		t.Fatal("no record was filled, so the test proves nothing")
	}
	s.noRecord(token)
}

func TestFlushAllDuringClientFillCausesReread(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.confidential()
	s.duringFill(false, func() { s.rdb.FlushAll(context.Background()) })
	s.service.LeaveClient(t.Context(), accountID, clientID, secret)
	if !s.held(clientKey) || s.fills != 2 {
		t.Errorf("%d fills, want 2", s.fills)
	}
}

// An introspection must not change the token's connection.
func TestTokenWithoutLinkGetsNoRecord(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.service.LeaveToken(t.Context(), accountID, token)
	if !s.held(token) {
		t.Fatal("a token with a link has no record, so the test proves nothing")
	}
	s.rdb.FlushAll(t.Context())
	s.exec("UPDATE cv_links SET ended_at = $1", now)
	s.service.LeaveToken(t.Context(), accountID, token)
	s.noRecord(token)
	if links := s.liveLinks(); links != 0 {
		t.Errorf("%d links are live", links)
	}
}

// The account is part of the record's key, so a call with the wrong account must not write a record.
func TestLeaveChecksTheAccount(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.confidential()
	s.exec(`INSERT INTO accounts (id, name, email, plan, created_at) VALUES ('dev_2', 'n', 'e', 'standard', now())`)
	s.service.LeaveClient(t.Context(), "dev_2", clientID, secret)
	s.service.LeaveToken(t.Context(), "dev_2", token)
	if keys := s.rdb.Keys(t.Context(), "*:cred:*").Val(); len(keys) > 0 {
		t.Errorf("keys left: %s", keys)
	}
}

func TestInvalidClientSecretGetsNoRecord(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.confidential()
	for name, c := range map[string]struct {
		id, sql string
		secret  credential.Digest
	}{
		"another secret":       {clientID, "", credential.Hash("another")},
		"another client":       {"ci", "", secret},
		"the console's client": {clientID, "UPDATE apps SET is_console = true WHERE client_id = '" + clientID + "'", secret},
		"a secret at its end":  {clientID, "UPDATE client_secrets SET expires_at = '" + now.Format(time.RFC3339) + "'", secret},
		"a deleted app":        {clientID, "UPDATE apps SET deleted_at = created_at", secret},
	} {
		s.exec("UPDATE apps SET is_console = false, deleted_at = NULL WHERE client_id = $1", clientID)
		s.exec("UPDATE client_secrets SET expires_at = NULL")
		if s.service.LeaveClient(t.Context(), accountID, clientID, secret); !s.held(clientKey) {
			t.Fatalf("before %s, there is no record", name)
		}
		s.rdb.FlushAll(t.Context())
		if c.sql != "" {
			s.exec(c.sql)
		}
		s.service.LeaveClient(t.Context(), accountID, c.id, c.secret)
		if keys := s.rdb.Keys(t.Context(), "*:cred:*").Val(); len(keys) > 0 {
			t.Errorf("%s: keys left: %s", name, keys)
		}
	}
}
