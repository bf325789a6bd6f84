import { Fault } from '../../../contract/faults.ts'
import { defineCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { answerEnvironment } from './environment.ts'
import { answerExitCodes } from './exit-codes.ts'
import { TOPICS } from './topics.ts'

export const help = defineCommand<{ topic: string }>({
  name: 'help',
  summary: 'help on a command, or on exit-codes, environment, formats, offline, sandbox',
  words: [{ name: '[topic]', about: `${TOPICS.join(', ')}, or a command` }],
  options: [],
  leaves: 'Nothing was changed',
  parse: ({ words }) => ({ topic: words[0] ?? '' }),
  run: async (context, { topic }) => {
    if (topic === 'exit-codes') return await answerExitCodes(context)
    if (topic === 'environment') return await answerEnvironment(context)
    if (topic === 'formats') return await answerText(context, topic, (await import('./formats.ts')).FORMATS_TEXT)
    if (topic === 'offline') return await answerText(context, topic, (await import('./offline.ts')).OFFLINE_TEXT)
    if (topic === 'sandbox') return await answerText(context, topic, (await import('./sandbox.ts')).SANDBOX_TEXT)
    throw new Fault('not_found', `there is no help on '${topic}'`, { hint: `topics are: ${TOPICS.join(', ')}` })
  }
})

async function answerText({ answer }: Context, topic: string, text: string): Promise<void> {
  if (answer.mode === 'json' || answer.mode === 'jsonl') return await answer.jsonLine({ topic, text })
  await answer.raw(text)
}
