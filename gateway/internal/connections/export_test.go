package connections

// AwaitIdle waits until n connections are idle.
func (l *Limit) AwaitIdle(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.all.idle.Len() != n {
		l.change.Wait()
	}
}
