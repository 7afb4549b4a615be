package cmd

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
)

// violation is a validation error. Field is the flag that has the invalid value, including its hyphens, or the
// path of the field if there is no such flag.
type violation struct {
	Field   string `json:"field"`
	Message string `json:"message"`
}

// refusalView is the JSON form of an error.
type refusalView struct {
	Code       string      `json:"code"`
	Violations []violation `json:"violations"`
	Truncated  bool        `json:"truncated,omitempty"`
}

// lastStep matches the last field name of a path, with its index if there is one.
var lastStep = regexp.MustCompile(`([a-z_]+)(\[\d+\])?$`)

// flagOf returns the flag of c that sets the field at path, or path if c has no such flag.
func flagOf(c *cobra.Command, path string) string {
	step := lastStep.FindStringSubmatch(path)
	if step == nil {
		return path
	}
	for _, suffix := range []string{"", "_id", "_day"} {
		name := strings.ReplaceAll(strings.TrimSuffix(step[1], suffix), "_", "-")
		if c.Flags().Lookup(name) != nil {
			return "--" + name
		}
	}
	return path
}

// refused replaces field names in an error with flags, because users know --expires-at and not expires_at.
// If there are several errors, it lists them on stderr and returns an error that states their number. With
// -o json, it also prints {"code","violations":[{"field","message"}]} on stdout, with "truncated":true if
// the service shortened the list.
func (a *app) refused(c *cobra.Command, err error) error {
	refusal, ok := errs.As(err)
	if !ok {
		return err
	}
	var list []violation
	truncated := false
	for _, v := range refusal.Violations {
		if fault.IsCut(v) {
			truncated = true
			continue
		}
		named := violation{flagOf(c, v.Field), v.Description}
		if !slices.Contains(list, named) { // two values of a flag can have the same error
			list = append(list, named)
		}
	}
	switch {
	case len(list) == 0 || len(list) == 1 && !strings.HasPrefix(list[0].Field, "--"):
		return err
	case len(list) == 1:
		return errs.New(refusal.Kind, refusal.Code, "%s: %s", list[0].Field, list[0].Message)
	}
	if a.output == "json" {
		if err := a.showJSON(refusalView{refusal.Code, list, truncated}); err != nil {
			return err
		}
	}
	for _, v := range list {
		fmt.Fprintln(a.streams.Err, errs.Violation{Field: v.Field, Description: v.Message})
	}
	if truncated {
		return errs.New(refusal.Kind, refusal.Code, "the request has more than %d faults", len(list))
	}
	return errs.New(refusal.Kind, refusal.Code, "the request has %d faults", len(list))
}

// explain returns the message of an error. For errors from a service, it includes all violations and the code.
func explain(err error) string {
	if _, cut := errors.AsType[*unreachableError](err); cut {
		return err.Error()
	}
	refusal, ok := errs.As(err)
	if !ok {
		return err.Error()
	}
	text := fmt.Sprintf("%s (%s)", message(refusal), refusal.Code)
	if cause := errors.Unwrap(refusal); cause != nil {
		// Operators need to know why a service did not respond.
		text += ": " + cause.Error()
	}
	// The text before the service's message says where the error occurred.
	if before, found := strings.CutSuffix(err.Error(), refusal.Error()); found {
		text = before + text
	}
	return text
}

// message returns the message of an error, or all its violations if there are several.
func message(refusal *errs.Error) string {
	if len(refusal.Violations) < 2 {
		return refusal.Message
	}
	var all []string
	for _, v := range refusal.Violations {
		all = append(all, v.String())
	}
	return strings.Join(all, "; ")
}
