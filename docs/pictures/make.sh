#!/usr/bin/env bash
# Takes the pictures of the documentation anew, from the pages as they are. Needs Go,
# Node.js 20.15 or newer, npm, and Chromium (CHROMIUM names one that is not
# /usr/bin/chromium).
set -euo pipefail
cd "$(dirname "$0")/../.."

page=display/web/e2e
[ -d $page/node_modules/playwright-core ] || npm --prefix $page ci
node docs/pictures/take.mjs docs/pictures
node docs/pictures/pit.mjs docs/pictures

program=$(mktemp -d)
trap 'rm -rf "$program"' EXIT
go build -o "$program/" ./cmd/sabot-demo
node docs/pictures/bench.mjs "$program/sabot-demo" docs/pictures

SABOT_TIER=soak SHOTS=$program node --test --test-name-pattern='in en|later|authority' cmd/sabotd/e2e/first.test.mjs
cp "$program/en-800-table-wrong.png" docs/pictures/first-start.png
cp "$program/en-800-trust-authority.png" docs/pictures/first-trust.png
cp "$program/en-800-overview.png" docs/pictures/settings.png
