package cmd

import (
	"testing"
	"time"

	"vitae.internal/pkg/sessionrecord"
)

func TestTimeoutCoversWaitingForRedis(t *testing.T) {
	if least := sessionrecord.WaitOut + 5*time.Second; actionTimeout < least {
		t.Errorf("commands time out after %v, but a revocation may take %v", actionTimeout, least)
	}
}
