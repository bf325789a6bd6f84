/** A job for any CI. src/cli/README.md shows the same, and a test runs it from there. */
const SHELL_JOB = `#!/usr/bin/env bash
# Compares a collection with kept.mem.jsonl, and proves that the snapshot can be restored.
# Exits with 0 if nothing differs, 10 if a snapshot is damaged, 11 if something differs (difference.tsv).
set -euo pipefail
: "\${MEMCTL_SERVER:?}" "\${MEMCTL_API_KEY:?}" "\${COLLECTION:?}" "\${COPY:?}"

memctl device verify --snapshot kept.mem.jsonl --fail-on-warning
memctl device export -c "$COLLECTION" -o now.mem.jsonl --force --verify
memctl device diff --exit-code kept.mem.jsonl now.mem.jsonl > difference.tsv
memctl collections restore kept.mem.jsonl -c "$COPY"
memctl device export -c "$COPY" -o copy.mem.jsonl --force --verify
memctl device diff --exit-code kept.mem.jsonl copy.mem.jsonl > difference.tsv
`

/** The same job for GitHub Actions, as in src/cli/README.md. */
const WORKFLOW = `name: memory
on:
  schedule:
    - cron: '17 4 * * *'
  workflow_dispatch:
permissions:
  contents: read
concurrency: memory
defaults:
  run:
    shell: bash
jobs:
  snapshot:
    runs-on: ubuntu-latest
    timeout-minutes: 15
    env:
      MEMCTL_SERVER: \${{ vars.MEMCTL_SERVER }}
      COLLECTION: \${{ vars.COLLECTION }}
      COPY: \${{ vars.COPY }}
    steps:
      - uses: actions/checkout@v5
        with:
          persist-credentials: false
      - uses: actions/setup-node@v5
        with:
          node-version: 22
      - name: Install
        run: npm install --global ./memctl-0.1.0.tgz
      - name: Verify the kept snapshot
        run: memctl device verify --snapshot kept.mem.jsonl --fail-on-warning
      - name: Export
        run: memctl device export -c "$COLLECTION" -o now.mem.jsonl --force --verify
        env:
          MEMCTL_API_KEY: \${{ secrets.MEMCTL_API_KEY }}
      - name: Compare
        run: memctl device diff --exit-code kept.mem.jsonl now.mem.jsonl > difference.tsv
      - name: Restore and compare
        run: |
          memctl collections restore kept.mem.jsonl -c "$COPY"
          memctl device export -c "$COPY" -o copy.mem.jsonl --force --verify
          memctl device diff --exit-code kept.mem.jsonl copy.mem.jsonl > difference.tsv
        env:
          MEMCTL_API_KEY: \${{ secrets.MEMCTL_API_KEY }}
      - uses: actions/upload-artifact@v6
        if: failure()
        with:
          name: memory
          path: |
            now.mem.jsonl
            difference.tsv
          if-no-files-found: ignore
          retention-days: 7
`

/** `memctl help ci`. */
export const CI_TEXT = `In scripts and CI

With CI set, with --no-input, or without a terminal, nothing is ever asked: where an answer is
needed it is exit 2, and the flag that gives it is named. Answers are on stdout; --json gives the
objects of the interface, and a failure is then one line of JSON on stderr with exit_code, retryable
and the commands to go on with. What stdout has then holds all the same, as the syncs that ended
('memctl help formats'): the exit code decides. 'memctl help exit-codes' lists the codes.

The key comes from MEMCTL_API_KEY, MEMCTL_API_KEY_FILE or MEMCTL_API_KEY_COMMAND, never from a flag,
and goes to the server that --server or MEMCTL_SERVER names. One for the jobs below, and no more:

  memctl keys create ci --read COLLECTION --edit COPY

Export, verify, compare and restore a snapshot: as a shell job that ends at the first failure.
kept.mem.jsonl is the snapshot that was last looked at and taken for good; COPY is a collection for
nothing else. Texts of memories go into files, never into the log.

${indent(SHELL_JOB)}
It begins with 'memctl device export -c COLLECTION -o kept.mem.jsonl --verify'. After an exit 11,
'mv now.mem.jsonl kept.mem.jsonl' takes what is there now for good.

The same on GitHub Actions, in a private repository that has kept.mem.jsonl and the package as
'npm pack' makes it. The key is a secret of the repository; server and collections are variables.

${indent(WORKFLOW)}
Accounts: who consents is a person with a browser, so a script begins and another run waits

  memctl connect notes -c "$COLLECTION" --json > begun.json     exit 0: auth_url, state, next
  memctl connect notes --resume "$(jq -r .state begun.json)" --wait-timeout 10m --json
  memctl connections sync --all -c "$COLLECTION" --wait --skip-running

A wait that runs out is exit 8, a server that is away exit 7: both may be tried again. What is wrong
with the machine, the key or the server 'memctl doctor --json' tells.
`

function indent(text: string): string {
  return text.replace(/^(?=.)/gm, '  ')
}
