import type { RunningServer } from '../../../contract/running-server.ts'
import type { ServerFlags } from '../../../ports.ts'
import { defineCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { readCredential } from '../../credentials/save-credential.ts'
import { plainLine } from '../../output/plain-text.ts'
import { detachServer } from './detach-server.ts'
import { hintServer } from './hint-server.ts'
import { keepServerKey } from './keep-server-key.ts'
import { SERVER_OPTIONS, serverFlags } from './server-flags.ts'

type Options = { flags: ServerFlags; detach: boolean }

export const startServer = defineCommand<Options>({
  name: 'start',
  summary: 'run a server on this machine',
  options: [
    ...SERVER_OPTIONS,
    { flags: '--detach', about: 'leave it running in the background; its log goes to server.log in its data folder' }
  ],
  about:
    'Needs no set-up. The first start makes an admin key, which is kept where the other commands look for it, and a collection ' +
    'named default. Ctrl-C or server stop ends it: what is under way is finished first, and the exit code is 0. Its log goes ' +
    'to stderr. With --json the facts (pid, origin, data_dir …) are one line on stdout as soon as it answers.',
  examples: [
    'memctl server start',
    'memctl server start --detach --port 0',
    'memctl server start --database-url postgres://memctl@db.example/memctl'
  ],
  // A stop takes as long as the requests that are under way; the run itself hears the signal.
  blocks: true,
  leaves: 'What was acknowledged is stored',
  parse: ({ options }) => ({ flags: serverFlags(options), detach: options.detach === true }),
  run: (context, { flags, detach }) => (detach ? detachServer(context, flags) : serve(context, flags))
})

async function serve(context: Context, flags: ServerFlags): Promise<void> {
  const { world } = context
  const host = await context.rooms.server()
  // What is wrong with the file that the first key goes to is told before there is a key.
  readCredential(world, '')
  await host.run(flags, {
    signal: world.terminal.interrupted,
    onReady: async (facts, firstKey) => {
      await keepServerKey(context, facts, firstKey)
      await announce(context, facts)
    }
  })
}

/** On stderr at once for whoever watches, as JSON on stdout for whoever reads. */
async function announce(context: Context, facts: RunningServer): Promise<void> {
  const { answer, world } = context
  if (answer.mode === 'json' || answer.mode === 'jsonl') return await answer.object(facts, { lines: () => [] })
  const text = `ready: ${facts.origin} (process ${facts.pid}, data in ${facts.data_dir})`
  await world.terminal.errors.write(`${plainLine(text)}\n`)
  await hintServer(context, facts)
}
