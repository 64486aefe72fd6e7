package web

import "time"

// RoutesOf lists method and path of all that a table has but what programs ask for, for tests that walk them.
func RoutesOf(s *Server) (all [][2]string) {
	for _, one := range s.Handler().Rows() {
		if one.Path != "/metrics" && one.Path != "/health" {
			all = append(all, [2]string{one.Method, one.Path})
		}
	}
	return all
}

// Tries counts wrong keys, as an Access does.
type Tries = tries

// Wrong counts one.
func (t *tries) Wrong(at time.Time, from string) (told, last bool, wait time.Duration) {
	return t.noteWrong(at, from)
}

// Places counts the places that are told apart.
func (t *tries) Places() int { return len(t.places) }
