import type { HelpBlock } from '../../output/draw-help.ts'

/** A job for any CI. `src/cli/README.md` shows the same text, and a test runs it from there. */
const SHELL_JOB = `#!/usr/bin/env bash
# Compares a collection with kept.mem.jsonl, and proves
# that the snapshot can be restored. Exits with 0 if
# nothing differs, 10 if a snapshot is damaged, and 11 if
# something differs (see difference.tsv).
set -euo pipefail
: "\${MEMCTL_SERVER:?}" "\${MEMCTL_API_KEY:?}"
: "\${COLLECTION:?}" "\${COPY:?}"

memctl device verify \\
  --snapshot kept.mem.jsonl --fail-on-warning
memctl device export -c "$COLLECTION" \\
  -o now.mem.jsonl --force --verify
memctl device diff --exit-code \\
  kept.mem.jsonl now.mem.jsonl > difference.tsv
memctl collections restore kept.mem.jsonl -c "$COPY"
memctl device export -c "$COPY" \\
  -o copy.mem.jsonl --force --verify
memctl device diff --exit-code \\
  kept.mem.jsonl copy.mem.jsonl > difference.tsv
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
        run: >-
          memctl device verify
          --snapshot kept.mem.jsonl --fail-on-warning
      - name: Export
        run: >-
          memctl device export -c "$COLLECTION"
          -o now.mem.jsonl --force --verify
        env:
          MEMCTL_API_KEY: \${{ secrets.MEMCTL_API_KEY }}
      - name: Compare
        run: >-
          memctl device diff --exit-code
          kept.mem.jsonl now.mem.jsonl > difference.tsv
      - name: Restore and compare
        run: |
          memctl collections restore kept.mem.jsonl \\
            -c "$COPY"
          memctl device export -c "$COPY" \\
            -o copy.mem.jsonl --force --verify
          memctl device diff --exit-code \\
            kept.mem.jsonl copy.mem.jsonl > difference.tsv
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
export const CI_TEXT: readonly HelpBlock[] = [
  { heading: 'Scripts and CI' },
  {
    text:
      'memctl never prompts if CI is set, with --no-input, or without a terminal. A command that needs an answer then exits with 2 and ' +
      'names the flag that gives it. Output goes to stdout. With --json a failure is one line of JSON on stderr that contains exit_code, ' +
      "retryable and the next commands. Decide by the exit code, because some failures print a result too ('memctl help formats'). " +
      "'memctl help exit-codes' lists the codes."
  },
  {
    text:
      'The API key comes from MEMCTL_API_KEY, MEMCTL_API_KEY_FILE or MEMCTL_API_KEY_COMMAND, never from a flag. It is sent only to the ' +
      'server that --server or MEMCTL_SERVER names. This command creates a key with the permissions that the jobs below need:'
  },
  { commands: ['memctl keys create ci --read COLLECTION --edit COPY'] },
  {
    text:
      'The following shell job exports, verifies, compares and restores a snapshot, and stops at the first failure. kept.mem.jsonl is ' +
      'the last snapshot that you accepted. COPY is a collection for this job alone. Texts of memories go to files, never to the log.'
  },
  { file: SHELL_JOB },
  { text: 'Create the first snapshot with:' },
  { commands: ['memctl device export -c COLLECTION -o kept.mem.jsonl --verify'] },
  { text: 'After exit 11, accept the current state with:' },
  { commands: ['mv now.mem.jsonl kept.mem.jsonl'] },
  {
    text:
      "The same job for GitHub Actions, in a private repository that contains kept.mem.jsonl and the package that 'npm pack' creates. " +
      'The key is a secret of the repository; the server and the collections are variables.'
  },
  { file: WORKFLOW },
  { heading: 'Accounts in scripts' },
  {
    text:
      'Consent needs a person with a browser. One run therefore starts the link (exit 0, with auth_url, state and next), and a later ' +
      'run waits for it:'
  },
  {
    commands: [
      'memctl connect notes -c "$COLLECTION" --json > begun.json',
      'memctl connect notes --resume "$(jq -r .state begun.json)" --wait-timeout 10m --json',
      'memctl connections sync --all -c "$COLLECTION" --wait --skip-running'
    ]
  },
  {
    text:
      'A wait that times out exits with 8, and a server that cannot be reached with 7. Both can be retried. To find a problem with the ' +
      "machine, the key or the server, run 'memctl doctor --json'."
  }
]
