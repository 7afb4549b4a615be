// Package config loads the configuration of a process from its environment,
// once, at the start. Nothing else reads environment variables.
package config

import (
	"fmt"
	"os"
	"strings"

	"github.com/caarlos0/env/v11"
)

// Environment is a set of variables, as os.Environ gives them.
type Environment map[string]string

// OS is the environment of the process.
func OS() Environment {
	e := Environment{}
	for _, kv := range os.Environ() {
		k, v, _ := strings.Cut(kv, "=")
		e[k] = v
	}
	return e
}

// With returns a copy of e in which the variables of more are set.
func (e Environment) With(more Environment) Environment {
	out := make(Environment, len(e)+len(more))
	for k, v := range e {
		out[k] = v
	}
	for k, v := range more {
		out[k] = v
	}
	return out
}

// Load fills a T from e by its `env`, `envDefault` and `envPrefix` tags. The
// error names every variable that is missing or malformed, not its value.
func Load[T any](e Environment) (T, error) {
	cfg, err := env.ParseAsWithOptions[T](env.Options{Environment: e})
	if err != nil {
		return cfg, fmt.Errorf("configuration: %w", err)
	}
	return cfg, nil
}
