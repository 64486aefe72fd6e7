package jackpot

// Answers are the rounds of which is decided how much they get, and whose tables have not said yet that they were paid.
// They are told again and again: a table takes the first answer, and refuses all others.
func Answers(rounds []Round) (list []Round) {
	for i := range rounds {
		if r := &rounds[i]; r.Decision != 0 && r.Hit != 0 && !r.Ended {
			list = append(list, *r)
		}
	}
	return list
}
