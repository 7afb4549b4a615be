package breaker

// NewAt returns a breaker with a clock.
var NewAt = newBreaker
