// Package config loads the configuration of a process from its environment at start-up. No other
// package reads environment variables.
package config

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"

	"github.com/caarlos0/env/v11"
)

// Environment is a set of environment variables.
type Environment map[string]string

// OS returns the environment of the process.
func OS() Environment {
	e := Environment{}
	for _, kv := range os.Environ() {
		k, v, _ := strings.Cut(kv, "=")
		e[k] = v
	}
	return e
}

// With returns a copy of e with the variables in more, which take precedence.
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

// Load returns a T filled from the variables in its `env`, `envDefault` and `envPrefix` tags.
// Values may also be in files: see withFiles. The error names every missing or malformed variable,
// but does not contain its value.
func Load[T any](e Environment) (T, error) {
	e, err := e.withFiles()
	if err != nil {
		var none T
		return none, fmt.Errorf("configuration: %w", err)
	}
	cfg, err := env.ParseAsWithOptions[T](env.Options{Environment: e})
	if err != nil {
		return cfg, fmt.Errorf("configuration: %w", named(reflect.TypeFor[T](), err))
	}
	return cfg, nil
}

// named replaces the field names in an error with the names of environment variables, which
// operators recognize.
func named(t reflect.Type, err error) error {
	all, ok := errors.AsType[env.AggregateError](err)
	if !ok {
		return err
	}
	faults := make([]error, len(all.Errors))
	for i, fault := range all.Errors {
		faults[i] = fault
		if parse, ok := errors.AsType[env.ParseError](fault); ok {
			faults[i] = fmt.Errorf("%s: %w", strings.Join(variables(t, "", parse), " or "), parse.Err)
		}
	}
	return errors.Join(faults...)
}

// variables returns the variables of all fields below t that have the name and type of the failed
// field. There is usually only one.
func variables(t reflect.Type, prefix string, of env.ParseError) (found []string) {
	for field := range t.Fields() {
		tag, _, _ := strings.Cut(field.Tag.Get("env"), ",")
		if tag != "" && field.Name == of.Name && field.Type == of.Type {
			found = append(found, prefix+tag)
		}
		if field.Type.Kind() == reflect.Struct {
			found = append(found, variables(field.Type, prefix+field.Tag.Get("envPrefix"), of)...)
		}
	}
	return found
}
