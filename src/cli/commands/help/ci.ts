import { SHELL_JOB, WORKFLOW } from './recipes.ts'

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

${indented(SHELL_JOB)}
It begins with 'memctl device export -c COLLECTION -o kept.mem.jsonl --verify'. After an exit 11,
'mv now.mem.jsonl kept.mem.jsonl' takes what is there now for good.

The same on GitHub Actions, in a private repository that has kept.mem.jsonl and the package as
'npm pack' makes it. The key is a secret of the repository; server and collections are variables.

${indented(WORKFLOW)}
Accounts: who consents is a person with a browser, so a script begins and another run waits

  memctl connect notes -c "$COLLECTION" --json > begun.json     exit 0: auth_url, state, next
  memctl connect notes --resume "$(jq -r .state begun.json)" --wait-timeout 10m --json
  memctl connections sync --all -c "$COLLECTION" --wait --skip-running

A wait that runs out is exit 8, a server that is away exit 7: both may be tried again. What is wrong
with the machine, the key or the server 'memctl doctor --json' tells.
`

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, '  ')
}
