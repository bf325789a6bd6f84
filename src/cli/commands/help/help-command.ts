import { Fault } from '../../../contract/faults.ts'
import { type AnyCommand, defineCommand, type Entry } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { HELP_TOPICS } from '../../command/help-topics.ts'
import { drawHelp, type HelpBlock, helpColumns } from '../../output/draw-help.ts'
import { answerEnvironment, environmentRows } from './answer-environment.ts'
import { answerExitCodes, exitCodeRows } from './answer-exit-codes.ts'

/** Returns the `help` command. `loadCatalogue` loads every command, for the manual. */
export function makeHelpCommand(loadCatalogue: () => Promise<readonly Entry[]>): AnyCommand {
  return defineCommand<{ topic: string }>({
    name: 'help',
    summary: `Show help on a command, or on ${HELP_TOPICS.join(', ')}`,
    words: [{ name: '[topic]', about: `${HELP_TOPICS.join(', ')}, or a command` }],
    options: [],
    about: 'The topic man prints the complete manual as a page for man(1).',
    examples: ['memctl help connections sync', 'memctl help exit-codes', 'memctl help man | man -l -'],
    pages: () => true,
    leaves: 'Nothing was changed',
    parse: ({ words }) => ({ topic: words[0] ?? '' }),
    run: async (context, { topic }) => {
      if (topic === 'exit-codes') return await answerExitCodes(context)
      if (topic === 'environment') return await answerEnvironment(context)
      if (topic === 'man') return await answerText(context, topic, await makeManual(context, await loadCatalogue()))
      const blocks = await TEXTS[topic]?.()
      if (blocks !== undefined)
        return await answerText(context, topic, drawHelp(blocks, helpColumns(context.world.terminal.output)))
      throw new Fault('not_found', `unknown help topic '${topic}': expected ${HELP_TOPICS.join(', ')}, or a command`, {
        hint: 'memctl help'
      })
    }
  })
}

const TEXTS: Readonly<Record<string, () => Promise<readonly HelpBlock[]>>> = {
  agents: async () => (await import('./agents-text.ts')).AGENTS_TEXT,
  formats: async () => (await import('./formats-text.ts')).FORMATS_TEXT,
  offline: async () => (await import('./offline-text.ts')).OFFLINE_TEXT,
  ci: async () => (await import('./ci-text.ts')).CI_TEXT,
  sandbox: async () => (await import('./sandbox-text.ts')).SANDBOX_TEXT
}

/** Topics of the manual that the help of no command contains. */
const MANUAL_TOPICS = ['formats', 'offline', 'ci']

async function makeManual({ modules }: Context, catalogue: readonly Entry[]): Promise<string> {
  const { manPage } = await import('./man-page.ts')
  const topics = await Promise.all(MANUAL_TOPICS.map(async (topic) => (await TEXTS[topic]?.()) ?? []))
  const environment = await environmentRows({ modules })
  return await manPage({ catalogue, exitCodes: exitCodeRows(), environment, topics })
}

async function answerText({ answer }: Context, topic: string, text: string): Promise<void> {
  if (answer.mode === 'json' || answer.mode === 'jsonl') return await answer.jsonLine({ topic, text })
  await answer.raw(text)
}
