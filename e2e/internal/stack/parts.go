package stack

import (
	"fmt"
	"strings"
)

// Parts are the processes that stand for a part ("auth", "gateway", …), told by
// their command line. The edge has one for each replica.
func (s *Stack) Parts(name string) []Process {
	var found []Process
	for _, p := range s.Processes() {
		program, rest, _ := strings.Cut(p.Command, " ")
		program = program[strings.LastIndexByte(program, '/')+1:]
		if program == name || (program == "vitae" && strings.HasPrefix(rest+" ", name+" ")) {
			found = append(found, p)
		}
	}
	return found
}

// Setting is the environment variable with which a part was started.
func (s *Stack) Setting(part, variable string) (string, error) {
	for _, p := range s.Parts(part) {
		if value, ok := p.Env(variable); ok {
			return value, nil
		}
	}
	return "", fmt.Errorf("no process of part %s with %s in its environment", part, variable)
}
