package config

import (
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"
)

// Help lists the settings in structs. Each entry consists of the variable, its default and its
// `help` tag.
func Help(w io.Writer, structs ...any) {
	for _, s := range structs {
		help(w, reflect.TypeOf(s), "")
	}
}

// PrintHelp prints the settings and exits if --help is the only argument.
func PrintHelp(program string, structs ...any) {
	if len(os.Args) != 2 || os.Args[1] != "--help" {
		return
	}
	fmt.Printf("%s reads its settings from the environment. VITAE_X_FILE names a file with the value of VITAE_X.\n\n", program)
	Help(os.Stdout, structs...)
	os.Exit(0)
}

func help(w io.Writer, t reflect.Type, prefix string) {
	for field := range t.Fields() {
		name, options, _ := strings.Cut(field.Tag.Get("env"), ",")
		if field.Type.Kind() == reflect.Struct && name == "" {
			help(w, field.Type, prefix+field.Tag.Get("envPrefix"))
			continue
		}
		if name == "" || name == "-" {
			continue
		}
		note := ""
		if value, ok := field.Tag.Lookup("envDefault"); ok {
			note = " (default " + value + ")"
		} else if strings.Contains(options, "required") {
			note = " (required)"
		}
		fmt.Fprintf(w, "%s%s%s\n    %s\n", prefix, name, note, field.Tag.Get("help"))
	}
}
