package tokens_test

import (
	"testing"

	"vitae.internal/e2e/internal/scene"
)

// Redis is emptied only after every replica has rejected the token based on its session records.
// TestRevokedTokensAreRejectedUnderLoad empties Redis during the revocation.
func TestNoReplicaAcceptsRevokedTokens(t *testing.T) {
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

func TestRevokedTokensAreRejectedUnderLoad(t *testing.T) {
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

func TestLiveTokensSurviveFlushes(t *testing.T) {
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
