import { Fault } from '../../../contract/faults.ts'
import { defineCommand } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { type CommandLine, integerOption, textOption } from '../../input/command-line.ts'
import { shellWord } from '../../output/short-forms.ts'
import { toPlainLine } from '../../output/to-plain-text.ts'

type Options = { host: string; port: number }

const PORT_MAX = 65_535
const PORT = 8788

/** Spellings of the loopback address. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i

export const runSandboxCommand = defineCommand<Options>({
  name: 'sandbox',
  summary: 'Run sandbox accounts for the four providers',
  options: [
    { flags: '--port <n>', about: `port (default: ${PORT}); 0 chooses a free port and prints it` },
    { flags: '--host <address>', about: 'loopback address (default: 127.0.0.1)' }
  ],
  about:
    'Prints the environment variables that make a server use it, and runs until Ctrl-C. A server without configured providers ' +
    'has the same sandbox built in.',
  manual: async () => (await import('../help/sandbox-text.ts')).SANDBOX_TEXT,
  examples: ['memctl server sandbox', 'memctl server sandbox --port 0 --json'],
  blocks: true,
  leaves: 'The sandbox saves nothing',
  parse: parseSandbox,
  run: async (context, place) => {
    const host = await context.modules.server()
    await host.runSandbox(place, {
      signal: context.world.terminal.interrupted,
      onReady: (facts) => announce(context, facts)
    })
  }
})

function parseSandbox({ options }: CommandLine): Options {
  const host = textOption(options, 'host') ?? '127.0.0.1'
  if (!LOOPBACK.test(host))
    throw new Fault('usage', `--host '${host}' exposes the sandbox to other machines: expected a loopback address`, {
      hint: 'omit --host'
    })
  return { host, port: integerOption(options, 'port', { least: 0, most: PORT_MAX }) ?? PORT }
}

type Facts = { origin: string; environment: Readonly<Record<string, string>> }

async function announce({ answer, world }: Context, facts: Facts): Promise<void> {
  if (answer.mode === 'json' || answer.mode === 'jsonl') return await answer.object(facts, { lines: () => [] })
  await world.terminal.errors.write(`${toPlainLine(`ready: ${facts.origin}`)}\n`)
  for (const [name, value] of Object.entries(facts.environment))
    await answer.raw(`export ${name}=${shellWord(toPlainLine(value))}\n`)
}
