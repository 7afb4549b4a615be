package observability_test

import "strings"

// filled has what Grafana puts in place of its variables. The interval reaches back over
// the whole drill.
func filled(expr string) string { return strings.ReplaceAll(expr, "$__rate_interval", "15m") }
