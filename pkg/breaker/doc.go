// Package breaker keeps calls from a part that does not answer. While calls to the part
// end at their deadline, the ones that would follow are refused at once: they would
// hold their callers, and what these hold, in vain. One call a second finds out whether
// the part is back. docs/adr/0008-own-circuit-breaker.md explains why this is not a library.
//
// It must never count an error that the part itself has answered, not even one of
// unavailability: only silence counts.
package breaker
