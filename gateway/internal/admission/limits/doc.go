// Package limits holds the account budgets and the surface tiers (spec: Limits;
// decisions 39 to 42).
//
// A request of an account costs one round trip to Redis: one script reads its
// session record, checks every dimension by Redis's clock, and then spends every
// dimension. It spends nothing when any of them refuses, when there is no record,
// and when the account is suspended. All keys are in the account's hash slot.
//
// A day's counter that is missing is not zero: it starts from what auth has in its
// books. While Redis does not answer, each replica holds the same rules alone, in
// bounded memory, by its own clock.
//
// It must never let a call spend twice, and never take a counter's absence for a
// fresh budget of the day.
package limits
