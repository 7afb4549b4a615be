package chain

import (
	"bytes"
	"log/slog"
	"net"
	"strings"
	"testing"

	"vitae.internal/gateway/internal/answer"
)

func TestUnreadableRequestLogsClientAddress(t *testing.T) {
	for from, want := range map[string]string{"192.0.2.1": "192.0.2.1", "::ffff:192.0.2.1": "192.0.2.1", "2001:db8::1": "2001:db8::1"} {
		var lines bytes.Buffer
		log := slog.New(slog.NewJSONHandler(&lines, nil))
		l := middleware{Config: Config{Log: log}, Listener: Listener{Name: "test", Fail: answer.Errors{Log: log}.Write}}
		answered, err := l.unreadable(400, &net.TCPAddr{IP: net.ParseIP(from), Port: 1234})
		if err != nil || !bytes.HasPrefix(answered, []byte("HTTP/1.1 400 Bad Request\r\n")) {
			t.Fatalf("%q, %v", answered, err)
		}
		if !strings.Contains(lines.String(), `"client_address":"`+want+`","app":"","account":""`) {
			t.Errorf("from %s: %s", from, lines.String())
		}
	}
}
