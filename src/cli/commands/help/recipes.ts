/** A job for any CI. The same stands in README.md and src/cli/README.md, and a test runs it from there. */
export const SHELL_JOB = `#!/usr/bin/env bash
# Is the collection still what kept.mem.jsonl holds, and can that be restored?
# 0: yes.  10: a snapshot is damaged.  11: something differs; what, is in difference.tsv.
set -euo pipefail
: "\${MEMCTL_SERVER:?}" "\${MEMCTL_API_KEY:?}" "\${COLLECTION:?}" "\${COPY:?}"

memctl device verify --snapshot kept.mem.jsonl --fail-on-warning
memctl device export -c "$COLLECTION" -o now.mem.jsonl --force --verify
memctl device diff --exit-code kept.mem.jsonl now.mem.jsonl > difference.tsv
memctl collections restore kept.mem.jsonl -c "$COPY"
memctl device export -c "$COPY" -o copy.mem.jsonl --force --verify
memctl device diff --exit-code kept.mem.jsonl copy.mem.jsonl > difference.tsv
`

/** The same on GitHub Actions. It stands in src/cli/README.md too, likewise. */
export const WORKFLOW = `name: memory
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
      - name: Verify what is kept
        run: memctl device verify --snapshot kept.mem.jsonl --fail-on-warning
      - name: Export
        run: memctl device export -c "$COLLECTION" -o now.mem.jsonl --force --verify
        env:
          MEMCTL_API_KEY: \${{ secrets.MEMCTL_API_KEY }}
      - name: Compare
        run: memctl device diff --exit-code kept.mem.jsonl now.mem.jsonl > difference.tsv
      - name: Restore, and compare what came of it
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
