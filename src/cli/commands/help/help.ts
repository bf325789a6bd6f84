import { Fault } from '../../../contract/faults.ts'
import { defineCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { answerEnvironment, environmentRows } from './environment.ts'
import { answerExitCodes, exitCodeRows } from './exit-codes.ts'
import { TOPICS } from './topics.ts'

export const help = defineCommand<{ topic: string }>({
  name: 'help',
  summary: `help on a command, or on ${TOPICS.join(', ')}`,
  words: [{ name: '[topic]', about: `${TOPICS.join(', ')}, or a command` }],
  options: [],
  about: 'man is all of it as a page for man(1).',
  examples: ['memctl help connections sync', 'memctl help exit-codes', 'memctl help man | man -l -'],
  leaves: 'Nothing was changed',
  parse: ({ words }) => ({ topic: words[0] ?? '' }),
  run: async (context, { topic }) => {
    if (topic === 'exit-codes') return await answerExitCodes(context)
    if (topic === 'environment') return await answerEnvironment(context)
    if (topic === 'man') return await answerText(context, topic, await manual(context))
    const text = TEXTS[topic]
    if (text !== undefined) return await answerText(context, topic, await text())
    throw new Fault('not_found', `there is no help on '${topic}'`, { hint: `topics are: ${TOPICS.join(', ')}` })
  }
})

const TEXTS: Readonly<Record<string, () => Promise<string>>> = {
  formats: async () => (await import('./formats.ts')).FORMATS_TEXT,
  offline: async () => (await import('./offline.ts')).OFFLINE_TEXT,
  ci: async () => (await import('./ci.ts')).CI_TEXT,
  sandbox: async () => (await import('./sandbox.ts')).SANDBOX_TEXT
}

/** Texts that no command has in its own help already. */
const MANUAL_TEXTS = ['formats', 'offline', 'ci']

async function manual({ catalogue, rooms }: Context): Promise<string> {
  const { manPage } = await import('../../manual/man-page.ts')
  const texts = await Promise.all(MANUAL_TEXTS.map(async (topic) => (await TEXTS[topic]?.()) ?? ''))
  const environment = await environmentRows({ rooms })
  return await manPage({ catalogue: await catalogue(), exitCodes: exitCodeRows(), environment, topics: texts })
}

async function answerText({ answer }: Context, topic: string, text: string): Promise<void> {
  if (answer.mode === 'json' || answer.mode === 'jsonl') return await answer.jsonLine({ topic, text })
  await answer.raw(text)
}
