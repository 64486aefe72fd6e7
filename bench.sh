#!/usr/bin/env bash
# Measures the figures of docs/performance.md, and prints them as a table: the median of
# COUNT runs, and the lowest and the highest. It needs Go; the part "page" also needs what
# the page's tests need. Set TMPDIR to measure the disk of another folder; give a name to
# run a single part, such as "./bench.sh engine".
set -euo pipefail
cd "$(dirname "$0")"

COUNT=${COUNT:-5}
only=${1:-}
results=$(mktemp)
trap 'rm -f "$results"' EXIT

# bench PART PACKAGE PATTERN [FLAG...] runs benchmarks and keeps their lines.
bench() {
	local part=$1 package=$2 pattern=$3
	shift 3
	if [ -n "$only" ] && [ "$only" != "$part" ]; then return; fi
	echo "measuring: $part ($package, $pattern)" >&2
	go test -run '^$' -bench "$pattern" -count "$COUNT" -timeout 30m "$@" "./$package" |
		awk -v part="$part" '/^(FAIL|panic:)/ { failed = 1 } /^Benchmark/ { print part, $0 } { last = last "\n" $0 }
			END { if (failed) { print last > "/dev/stderr"; exit 1 } }' >>"$results"
}

bench engine table '^BenchmarkStep$'
bench worth table/odds '^Benchmark(Main|Sides)$'
bench dealt table/odds/dealt '^BenchmarkRounds$' -benchtime 2000x
bench transcript table/transcript '^Benchmark(Read|Write)$'
bench transcript cmd/sabot '^BenchmarkReplay$'
bench wire firmware-protocol/wire '^Benchmark(EncodeDecode|SealOpen)Card$'
bench driver shoe/sabot '^Benchmark(Card|SealedCard)$'
bench driver shoe/beetek '^BenchmarkBeeTekCard$'
bench driver shoe/angeleye '^BenchmarkAngelEyeCard$'
bench keys device/keys '^BenchmarkFilter$'
bench keys internal/host '^BenchmarkKey$' -benchtime 200x
bench journal table/journal '^Benchmark(Append|Records|Verify)$'
bench audit table/audit '^BenchmarkAudit$'
bench publisher pit/publish '^BenchmarkEvents$' -benchtime 20000x
bench display display/web '^Benchmark(Card|CardBeside|Show)$'
bench card internal/host '^BenchmarkCard$' -benchtime 2000x
bench attack internal/host '^BenchmarkCardUnderAttack$' -benchtime 2000x
bench page internal/host '^BenchmarkPaint$' -benchtime 500x
bench page internal/host '^BenchmarkPage$' -benchtime 1x
bench start internal/host '^BenchmarkStart$' -benchtime 10x
bench memory internal/host '^BenchmarkMemory$' -benchtime 1x
bench house cmd/sabot-pit '^BenchmarkStart$' -benchtime 10x
bench house pit/store '^Benchmark(Append|Night)Beside$' -benchtime 20x
bench floor pit '^Benchmark(Burst|Floor)$' -benchtime 1x
if [ -z "$only" ] || [ "$only" = month ]; then # 5 GB, and as much again in memory for PostgreSQL
	month=$(mktemp -d)
	trap 'rm -rf "$results" "$month"' EXIT
	COUNT=1 SABOT_MONTH=$month bench month pit/store '^BenchmarkMonth$' -benchtime 20x -timeout 120m
fi
bench nights sim-hardware/nights '^BenchmarkNights$'
bench idle internal/host '^BenchmarkIdle$' -benchtime 1x
bench idle device/gpio '^BenchmarkBoardIdle$' -benchtime 1x

# Each line is: part, benchmark, operations, then pairs of a value and its unit. The time
# per operation is 0 where the benchmark does not measure operations.
if [ -s "$results" ]; then
	awk '
	{
		name = $2; sub(/^Benchmark/, "", name); sub(/-[0-9]+$/, "", name)
		for (i = 4; i < NF; i += 2) if (!($(i + 1) == "ns/op" && $i == 0)) {
			key = $1 "\t" name "\t" $(i + 1)
			if (!(key in n)) order[++keys] = key
			values[key, ++n[key]] = $i
		}
	}
	function rank(key, k,    i, j, less) {
		for (i = 1; i <= n[key]; i++) {
			less = 1
			for (j = 1; j <= n[key]; j++)
				if (values[key, j] + 0 < values[key, i] + 0 || values[key, j] + 0 == values[key, i] + 0 && j < i) less++
			if (less == k) return values[key, i]
		}
	}
	function figure(v) { return v + 0 >= 100 ? sprintf("%.0f", v) : v + 0 }
	END {
		printf "\n%-11s %-22s %14s %14s %14s  %s\n", "part", "benchmark", "median", "lowest", "highest", "unit"
		for (k = 1; k <= keys; k++) {
			key = order[k]; split(key, f, "\t")
			printf "%-11s %-22s %14s %14s %14s  %s\n", f[1], f[2],
				figure(rank(key, int((n[key] + 1) / 2))), figure(rank(key, 1)), figure(rank(key, n[key])), f[3]
		}
	}' "$results"
fi

if [ -z "$only" ] || [ "$only" = odds ]; then
	printf '\nodds, over 2,000,000 rounds each\n'
	go test ./table -count=1 -timeout 30m -v -rounds 2000000 -run '^Test(SideBetOdds|BankOdds|BlackJamesCost)$' |
		grep -E 'expected|loses|FAIL' | sed 's/^ *[a-z_]*\.go:[0-9]*: //'
fi

# ROUNDS of each house by the engine under best play, against what is worked out. With STATES, a folder, it goes on where it was ended.
if [ -z "$only" ] || [ "$only" = meets ]; then
	printf '\nthe engine under best play against the odds, over %s rounds of each house\n' "${ROUNDS:=100000000}"
	go test ./table/odds/dealt -count=1 -timeout 0 -v -run '^TestEngineMeetsOdds$' -rounds "$ROUNDS" -states "${STATES:-}" |
		grep -E '^ +(--- |meets)|FAIL' | sed 's/^ *meets_test.go:[0-9]*: //'
fi

if [ -z "$only" ] || [ "$only" = size ]; then
	make --no-print-directory build >/dev/null
	printf '\n%-24s %10s\n' "binary" "MiB"
	for binary in dist/*/*; do
		printf '%-24s %10s\n' "${binary#dist/}" "$(awk -v bytes="$(wc -c <"$binary")" 'BEGIN { printf "%.1f", bytes / 1048576 }')"
	done
fi
