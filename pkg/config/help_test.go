package config_test

import (
	"strings"
	"testing"

	"vitae.internal/pkg/config"
)

func TestHelpListsSettings(t *testing.T) {
	t.Parallel()
	type database struct {
		URL string `env:"URL,required" help:"Its address."`
	}
	type part struct {
		Addr     string   `env:"ADDR" envDefault:":1" help:"Where it listens."`
		Database database `envPrefix:"DB_"`
		Ignored  int      `env:"-"`
	}
	var got strings.Builder
	config.Help(&got, part{}, database{})
	const want = "ADDR (default :1)\n    Where it listens.\nDB_URL (required)\n    Its address.\nURL (required)\n    Its address.\n"
	if got.String() != want {
		t.Errorf("got:\n%s\nwant:\n%s", got.String(), want)
	}
}
