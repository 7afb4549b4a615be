package parts

import (
	"strings"
	"testing"

	gateway "vitae.internal/gateway/app"
	"vitae.internal/pkg/config"
	"vitae.internal/pkg/daemon"
	auth "vitae.internal/services/auth/app"
	candidate "vitae.internal/services/candidate/app"
	cvrender "vitae.internal/services/cvrender/app"
	partnercatalog "vitae.internal/services/partnercatalog/app"
)

func TestEverySettingHasHelp(t *testing.T) {
	t.Parallel()
	var help strings.Builder
	config.Help(&help, daemon.Config{}, auth.Config{}, candidate.Config{}, cvrender.Config{}, partnercatalog.Config{}, gateway.Config{})
	setting := ""
	for line := range strings.Lines(help.String()) {
		if strings.TrimSpace(line) == "" {
			t.Errorf("%s has no help tag", strings.TrimSpace(setting))
		}
		setting = line
	}
}
