package telemetry_test

import (
	"bytes"
	"log/slog"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"vitae.internal/pkg/config"
	"vitae.internal/pkg/telemetry"
)

// lines is a log that several goroutines can write to. Lines that contain "log_level" are also sent
// to changed.
type lines struct {
	mu      sync.Mutex
	all     bytes.Buffer
	changed chan string
}

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if bytes.Contains(b, []byte("log_level")) {
		l.changed <- string(b)
	}
	return l.all.Write(b)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all.String()
}

func TestSignalTogglesLogLevel(t *testing.T) {
	for usual, want := range map[string]struct{ before, during, after string }{
		"":      {"info warn", "debug info warn", "info warn"},
		"warn":  {"warn", "debug info warn", "warn"},
		"debug": {"debug info warn", "debug info warn", "debug info warn"},
	} {
		env := config.Environment{}
		if usual != "" {
			env["VITAE_LOG_LEVEL"] = usual
		}
		c, err := config.Load[telemetry.LogConfig](env)
		if err != nil {
			t.Fatal(err)
		}
		out := &lines{changed: make(chan string, 1)}
		log := telemetry.NewLogger(out, "auth")
		stop := telemetry.FollowLogLevel(c, log)
		logged := func() string {
			before := len(out.String())
			log.Debug("debug")
			log.Info("info")
			log.Warn("warn")
			var got []string
			for _, word := range []string{"debug", "info", "warn"} {
				if strings.Contains(out.String()[before:], `"msg":"`+word+`"`) {
					got = append(got, word)
				}
			}
			return strings.Join(got, " ")
		}
		signal := func() {
			if err := syscall.Kill(syscall.Getpid(), syscall.SIGUSR1); err != nil {
				t.Fatal(err)
			}
			select {
			case <-out.changed:
			case <-time.After(time.Minute):
				t.Fatal("the level change was not logged")
			}
		}
		if got := logged(); got != want.before {
			t.Errorf("level %q: logged %s, want %s", usual, got, want.before)
		}
		signal()
		if got := logged(); got != want.during {
			t.Errorf("level %q, after a signal: logged %s, want %s", usual, got, want.during)
		}
		signal()
		if got := logged(); got != want.after {
			t.Errorf("level %q, after a second signal: logged %s, want %s", usual, got, want.after)
		}
		stop()
	}
	telemetry.FollowLogLevel(telemetry.LogConfig{Level: slog.LevelInfo}, slog.New(slog.DiscardHandler))()
	if _, err := config.Load[telemetry.LogConfig](config.Environment{"VITAE_LOG_LEVEL": "loud"}); err == nil {
		t.Error("an invalid level was accepted")
	}
}
