// Mutate plants faults, one at a time, in the packages whose promises matter most, and
// tells how many of them the tests notice. `make mutate` runs it.
//
// The faults are those that people make: a condition turned round or left out, a bound
// that is off by one, a number that is another one, an error that is swallowed, a
// statement that is missing, a lock or a condition that a query lacks. Only what compiles
// counts. packages.txt lists the packages and the tests that guard them; equivalents.txt
// lists the faults that change nothing that anybody could see.
//
// The tree is never changed: the go command reads the changed file through -overlay, and
// property-based tests are told not to write down what made them fail. What is built has a
// cache of its own. A machine that fails instead of a test is an error and no figure.
package main
