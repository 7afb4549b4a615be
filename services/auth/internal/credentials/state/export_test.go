package state

// AfterRead makes s call f between reading from Postgres and writing the record.
func (s *Service) AfterRead(f func()) { s.afterRead = f }
