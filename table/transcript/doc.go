// Package transcript reads and writes the engine's inputs and outputs as JSON
// lines: the one vocabulary of the journal, the simulator, the replay and MQTT.
// docs/transcript.md is the contract; names and meanings in it are fixed.
//
// It knows no field of its own: the rows of package vocab say what a line has, and from
// them come writing and reading.
//
// Reading is strict: a line holds one JSON object with the fields of its kind and
// no others, and an error names the line, the column and what to write instead.
package transcript
