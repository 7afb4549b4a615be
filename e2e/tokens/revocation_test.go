package tokens_test

import (
	"testing"

	"vitae.internal/e2e/internal/scene"
)

// Redis forgets only after every replica has refused the token, with the records that it had
// of it. TestNoReplicaAcceptsADeadTokenUnderLoad empties Redis while the token ends.
func TestEndedTokensStayDeadOnEveryReplica(t *testing.T) {
	t.Parallel()
	flush := scene.Flusher(t)
	for _, e := range endings {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			c := scene.Everything(t)
			warm(t, c, e.path)
			e.end(t, c)
			present(t, c, e, nil)
			present(t, c, e, flush)
		})
	}
}

func TestNoReplicaAcceptsADeadTokenUnderLoad(t *testing.T) {
	t.Parallel()
	flush := scene.Flusher(t)
	for _, e := range endings {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			c := scene.Everything(t)
			stop := load(t, c, e.path, flush)
			e.end(t, c)
			present(t, c, e, nil)
			stop()
			present(t, c, e, nil)
		})
	}
}

func TestLiveTokensAreServedWhileRedisForgets(t *testing.T) {
	t.Parallel()
	flush := scene.Flusher(t)
	c := scene.Everything(t)
	for range 30 {
		if err := flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		c.Alive(t, c.Tokens.Access)
	}
}
