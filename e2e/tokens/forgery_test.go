package tokens_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/pkg/sessionrecord"
)

// An attacker who can write to Redis replaces the session record of their token with the record of a
// different account's token.
func TestCopiedSessionRecordRaisesAlarm(t *testing.T) {
	t.Parallel()
	victim, thief := scene.Everything(t), scene.Everything(t)
	address := expect.Must(suite.System.RedisURL())(t)
	rdb := redis.NewClient(expect.Must(redis.ParseURL(address))(t))
	defer rdb.Close()

	expect.Eventually(t, "an alarm about "+account(thief), func(ctx context.Context) error {
		for _, at := range thief.Replicas(thief.App) {
			// The replica has used both tokens, so Redis has both records, unless a different test has
			// emptied Redis or a record has just expired.
			for _, c := range []scene.Connected{victim, thief} {
				expect.Must(c.App.At(at.BaseURL).Get(ctx, "/v1/me", c.Tokens.Access))(t)
			}
			if err := copyRecord(ctx, rdb, victim, thief); err != nil {
				return err
			}
			a := expect.Must(at.Get(ctx, "/v1/me", thief.Tokens.Access))(t)
			if !strings.Contains(string(a.Body), thief.Person.Email) || strings.Contains(string(a.Body), victim.Person.Email) {
				t.Fatalf("the thief's token reads %s", a)
			}
		}
		return alarmed(account(thief))
	})
	victim.Alive(t, victim.Tokens.Access)
	thief.Alive(t, thief.Tokens.Access)
}

func account(c scene.Connected) string { return c.Created.Developers["dev"].ID }

// alarmed returns an error unless the stack has logged that a record of the account is forged.
func alarmed(accountID string) error {
	log, err := os.ReadFile(filepath.Join(suite.System.Dir(), "vitae.log"))
	for line := range strings.Lines(string(log)) {
		if strings.Contains(line, `"level":"ERROR","msg":"a session record in redis is forged"`) && strings.Contains(line, accountID) {
			return nil
		}
	}
	return errors.Join(err, errors.New("the log has no such line"))
}

// copyRecord copies a record to a different account, with that account's current generation.
func copyRecord(ctx context.Context, rdb *redis.Client, from, to scene.Connected) error {
	source, _ := sessionrecord.Ref{AccountID: account(from), Hash: sha256.Sum256([]byte(from.Tokens.Access))}.Keys()
	target, generation := sessionrecord.Ref{AccountID: account(to), Hash: sha256.Sum256([]byte(to.Tokens.Access))}.Keys()
	record, err := rdb.Dump(ctx, source).Result()
	if err != nil {
		return err
	}
	present, err := rdb.Get(ctx, generation).Result()
	if err != nil {
		return err
	}
	return errors.Join(
		rdb.RestoreReplace(ctx, target, 0, record).Err(),
		rdb.HSet(ctx, target, "generation", present).Err(),
	)
}
