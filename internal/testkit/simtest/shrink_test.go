package simtest

import "slices"

// Shrink makes a script shorter as long as fails says that it still finds the same. Halves are removed first, then less
// and less, then single faults; then fewer rounds are dealt.
func Shrink(s Script, fails func(Script) bool) Script {
	for size := (len(s.Faults) + 1) / 2; size > 0; {
		shorter, ok := less(s, size, fails)
		if s = shorter; !ok {
			size /= 2
		}
		size = min(size, len(s.Faults))
	}
	for _, rounds := range []int{2, 5, 10, 20, 30} {
		if fewer := s; rounds < s.Rounds {
			if fewer.Rounds = rounds; fails(fewer) {
				return fewer
			}
		}
	}
	return s
}

// less removes the first run of faults of a size without which the script still fails.
func less(s Script, size int, fails func(Script) bool) (Script, bool) {
	for at := 0; at < len(s.Faults); at += size {
		shorter := s
		shorter.Faults = slices.Delete(slices.Clone(s.Faults), at, min(at+size, len(s.Faults)))
		if fails(shorter) {
			return shorter, true
		}
	}
	return s, false
}
