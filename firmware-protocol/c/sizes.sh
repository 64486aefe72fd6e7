#!/usr/bin/env bash
# Prints the table of sizes in README.md, from the objects that "make cross" has made in
# the folder given, for the processors that are there; with -w it puts the table into README.md.
set -euo pipefail
cd "$(dirname "$0")"

write=
[ "${1:-}" != -w ] || { write=yes; shift; }
out=${1:?the folder of the objects}
least=32 usual=512 # events

# version COMPILER and size COMPILER OBJECT..., with the tools beside the compiler.
version() { "$1" -dumpfullversion 2>/dev/null || "$1" -dumpversion; }
code() { "${1%gcc}size" "${@:2}" | awk 'NR > 1 { sum += $1 + $2 } END { print sum }'; }
symbol() { "${1%gcc}nm" --print-size "$2" | awk -v name="$3" '$4 == name { print $2 }'; }

row() { # TARGET COMPILER
	local folder=$out/$1 ram=$out/$1/ram.o shoe event
	[ -d "$folder" ] || return 0
	shoe=$((16#$(symbol "$2" "$ram" ram_of_shoe)))
	event=$((16#$(symbol "$2" "$ram" ram_of_event)))
	printf '| %s | %s %s | %d | %d | %d | %d | %d |\n' "$1" "$2" "$(version "$2")" \
		"$(code "$2" "$folder"/sabot_*.o)" "$(code "$2" "$folder"/sabot_seal.o)" \
		"$shoe" $((shoe + least * event)) $((shoe + usual * event))
}

table() {
	echo "| processor | compiler, \`-Os\` | code | of it link security | RAM without events | with $least events | with $usual events |"
	echo '|---|---|---|---|---|---|---|'
	row cortex-m0 "${ARM:-arm-none-eabi-gcc}"
	row cortex-m4 "${ARM:-arm-none-eabi-gcc}"
	row atmega328p "${AVR:-avr-gcc}"
	row atmega2560 "${AVR:-avr-gcc}"
}

if [ -z "$write" ]; then
	table
	exit
fi
fresh=$(table)
awk -v table="$fresh" '
	/^<!-- sizes -->$/ { print; print table; skip = 1; next }
	/^<!-- end of sizes -->$/ { skip = 0 }
	!skip' README.md >README.md.new
mv README.md.new README.md
