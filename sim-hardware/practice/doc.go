// Package practice is the dealer's exercises at the bench: what each house pays, whether the bank must draw, which
// calls a hand may make, what is done next with a hole card, what is in the tray, and how what goes wrong is put right.
// It makes an exercise from a seed, judges what a trainee answers, decides what comes next, and keeps the results.
//
// No answer is written down anywhere: an exercise is a round that the engine has played, or a tray that it has kept,
// and the right answer is what the engine says. A round with which the second book disagrees is no exercise.
//
// # What comes next
//
// Each house and kind of exercise is a course of its own. What comes next in it follows from the trainee's attempts
// alone:
//
//   - A mistake comes back: the same exercise after two others, and once it was right, again after five others. Right
//     twice in a row, it is learnt. A mistake in between begins it anew.
//   - In between come fresh exercises: more often of what was never tried, or went wrong.
//   - After five right answers in a row the level rises, after three wrong ones it falls.
package practice
