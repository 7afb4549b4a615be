package state

// AfterRead makes the service call f after reading a state from Postgres and before writing the record.
func (s *Service) AfterRead(f func()) { s.afterRead = f }
