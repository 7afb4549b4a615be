package breaker

// NewAt returns a breaker that uses the given clock.
var NewAt = newBreaker
