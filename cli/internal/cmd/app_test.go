package cmd

import (
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/cli/internal/conntest"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// secrets lists an app's client secrets one minute after a rotation.
var secrets = []*authv1.ClientSecret{
	{Id: "sec_2", AppId: "app_1", CreatedAt: timestamppb.New(now.Add(-time.Minute)), CreatedBy: "vitaectl"},
	{Id: "sec_1", AppId: "app_1", CreatedAt: timestamppb.New(now.Add(-time.Hour)), LastUsedAt: timestamppb.New(now), ExpiresAt: noon},
}

func TestRotationSendsOverlap(t *testing.T) {
	for line, want := range map[string]*authv1.RotateClientSecretRequest{
		"app rotate-secret app_1":                           {AppId: "app_1", Overlap: durationpb.New(0)},
		"app rotate-secret app_1 --overlap 90m":             {AppId: "app_1", Overlap: durationpb.New(90 * time.Minute)},
		"app rotate-secret --end-older --overlap 24h app_1": {AppId: "app_1", Overlap: durationpb.New(24 * time.Hour), EndOlder: true},
	} {
		conn := &conntest.Conn{Answer: answer}
		if status, _, stderr := vitaectl(conn, "", strings.Fields(line)...); status != exitOK || !proto.Equal(conn.Calls[0].Request, want) {
			t.Errorf("%s: status %d, %s, sent %v", line, status, stderr, conn.Calls)
		}
	}
	for _, line := range []string{
		"app rotate-secret", "app rotate-secret app_1 --overlap tomorrow", "app rotate-secret app_1 --overlap 24",
		"app rotate-secret app_1 --overlap -1h", "app secrets", "app secrets a b", "app delete-secret",
	} {
		conn := &conntest.Conn{Answer: answer}
		if status, _, stderr := vitaectl(conn, "", strings.Fields(line)...); status != exitUsage || stderr == "" || len(conn.Calls) != 0 {
			t.Errorf("%s: status %d, %q", line, status, stderr)
		}
	}
}
