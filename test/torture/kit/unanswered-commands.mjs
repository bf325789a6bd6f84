/** Environments without anyone to answer a prompt. */
export const SURROUNDINGS = [
  { name: 'a pipe', stdio: ['pipe', 'pipe', 'pipe'] },
  { name: '</dev/null', stdio: ['ignore', 'pipe', 'pipe'] },
  { name: 'closed stdin', redirect: '<&-' },
  { name: 'closed stdout', redirect: '>&-' },
  { name: 'CI', env: { CI: '1' } },
  { name: '--json', args: ['--json'] }
]

/** Returns account commands, each with its exit code or codes. */
export function commandsOf({ collectionId, drive, chat }) {
  const into = ['-c', collectionId]
  return [
    [['providers'], 0],
    [['connect', 'mailbox', ...into], 0],
    [['connect', 'mailbox', ...into, '--wait-timeout', '1s'], 8],
    [['connect', 'fax', ...into], 3],
    [['connect', 'mailbox', '--resume', 'made.up', '--wait-timeout', '1s'], 3],
    [['connect'], 2],
    [['connections', 'list', ...into], 0],
    [['connections', 'show', 'unknown'], 3],
    [['connections', 'folders', drive], 0],
    [['connections', 'channels', drive], 2],
    [
      ['connections', 'folders', drive, '--parent', '../../about'],
      [3, 10]
    ],
    [['connections', 'config', drive], 2],
    [['connections', 'config', drive, '--folder', '../..'], 2],
    [['connections', 'config', chat, '--channel', 'x'.repeat(10_000)], 2],
    [['connections', 'disconnect', drive], 2],
    [['connections', 'disconnect', drive, '--delete-memories'], 2],
    [['server', 'providers', 'list'], 0],
    [['server', 'providers', 'set', 'notes', '--client-id', 'x'], 2],
    [['server', 'providers', 'set', 'notes', '--client-id', 'x', '--client-secret-file', '/nowhere'], 3],
    [['server', 'sandbox', '--host', '0.0.0.0'], 2]
  ]
}
