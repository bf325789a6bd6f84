/** `memctl help ci`. */
export const CI_TEXT = `In scripts and CI

With CI set, with --no-input, or without a terminal, nothing is ever asked: where an answer is
needed it is exit 2, and the flag that gives it is named. Answers are on stdout; --json gives the
objects of the interface, and a failure is then one line of JSON on stderr with exit_code, retryable
and the commands to go on with. 'memctl help exit-codes' lists the codes.

The key comes from MEMCTL_API_KEY, MEMCTL_API_KEY_FILE or MEMCTL_API_KEY_COMMAND, never from a flag,
and goes to the server that --server or MEMCTL_SERVER names.

Export, verify, compare, restore: as a shell job that stops at the first failure

  set -eu
  export MEMCTL_SERVER=https://memory.example.org MEMCTL_API_KEY_FILE=/run/secrets/memctl
  memctl device export -c "$COLLECTION" -o new.mem.jsonl --verify
  memctl device verify --snapshot new.mem.jsonl --fail-on-warning
  memctl device diff --exit-code old.mem.jsonl new.mem.jsonl    11: they differ
  memctl collections restore new.mem.jsonl -c "$COPY"           can be given again

The same on GitHub Actions, with the key in a secret

  steps:
    - uses: actions/setup-node@v4
      with: { node-version: 22 }
    - run: |
        npm install --global memctl
        memctl device export -c "$COLLECTION" -o new.mem.jsonl --verify
        memctl device verify --snapshot new.mem.jsonl --fail-on-warning
      env:
        MEMCTL_SERVER: https://memory.example.org
        MEMCTL_API_KEY: \${{ secrets.MEMCTL_API_KEY }}
        COLLECTION: \${{ vars.MEMCTL_COLLECTION }}

Accounts: who consents is a person with a browser, so a script begins and another run waits

  memctl connect notes -c "$COLLECTION" --json > begun.json     exit 0: auth_url, state, next
  memctl connect notes --resume "$(jq -r .state begun.json)" --wait-timeout 10m --json
  memctl connections sync --all -c "$COLLECTION" --wait --skip-running

A wait that runs out is exit 8, a server that is away exit 7: both may be tried again.
`
