import { Fault } from '../../../contract/faults.ts'
import type { MemoryRecord } from '../../../contract/snapshot.ts'
import { ask, makeDeclinedFault } from '../../command/ask.ts'
import { defineCommand } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { textOption } from '../../input/command-line.ts'
import { parseTime } from '../../input/parse-time.ts'
import { readInputText } from '../../input/read-input-text.ts'
import { TEXT_OPTION, type TextWords, textOfWords, textWords } from '../../input/text-words.ts'
import { shellWord } from '../../output/short-forms.ts'
import { openSnapshotForWriting, snapshotFlag } from '../../snapshots/open-snapshot.ts'
import { isSearchNumber, resolveNumber } from '../../snapshots/search-numbers.ts'
import { answerPreview, answerStored } from '../../views/answer-stored.ts'
import { memoryLines } from '../../views/record-list.ts'

type Options = {
  id: string
  text: TextWords
  file: string | undefined
  at: string | undefined
  speaker: string | undefined
  conversation: string | undefined
  dryRun: boolean
}

export const correctCommand = defineCommand<Options>({
  name: 'correct',
  summary: 'Store a text that supersedes a memory',
  words: [
    {
      name: '<id>',
      about: 'id of the memory to correct, its first 6 characters or more, or a number of the last search',
      live: 'memory'
    },
    { name: '[text...]', about: 'corrected text' }
  ],
  options: [
    TEXT_OPTION,
    { flags: '-f, --file <file>', about: 'file with the text; - for stdin' },
    {
      flags: '--at <time>',
      about:
        'time from which the correction holds: ISO 8601, in UTC without a zone, or 2h for two hours ago; now by default'
    },
    { flags: '--speaker <name>', about: 'speaker or author of the text; that of the corrected memory by default' },
    { flags: '--conversation <id>', about: 'conversation of the text; that of the corrected memory by default' },
    { flags: '--dry-run', about: 'show the record without storing it' }
  ],
  about:
    'The corrected memory stays in the file, but search no longer treats it as current. It is current again if the ' +
    'correction is forgotten. A correction can be corrected too: the newest text holds. For a number of the last search, the ' +
    'command shows the memory and asks; --yes answers.',
  examples: [
    'memctl device correct mem_4be0c1 "The gate code is 4417"',
    'memctl device correct 1 "The gate code is 4417"',
    'memctl device correct mem_4be0c1 -f corrected.txt --dry-run'
  ],
  leaves: 'The correction is stored completely or not at all; run the command again to continue',
  parse: (given) => {
    const { words, options } = given
    const [id = '', ...texts] = words
    const file = textOption(options, 'file')
    if (texts.length === 0 && file === undefined) {
      throw new Fault('usage', 'missing the corrected text', {
        hint: `memctl device correct ${id} "a text", or -f FILE`
      })
    }
    if (texts.length > 0 && file !== undefined)
      throw new Fault('usage', 'a text and --file cannot be used together', { hint: 'give one of them' })
    return {
      id,
      text: textWords({ ...given, words: texts, literal: Math.min(given.literal ?? 0, texts.length) }),
      file,
      at: textOption(options, 'at'),
      speaker: textOption(options, 'speaker'),
      conversation: textOption(options, 'conversation'),
      dryRun: options.dryRun === true
    }
  },
  run: async (context, options) => {
    const { world, answer, diagnostics } = context
    const { id, at, speaker, conversation, dryRun } = options
    const text = await readCorrection(context, options)
    const details = {
      at: at === undefined ? undefined : parseTime(at, '--at', world.clock.now()),
      speaker,
      conversation
    }
    await openSnapshotForWriting(context, async (device) => {
      const found = resolveNumber(context, id, device.path)
      if (isSearchNumber(id) && !dryRun) await confirmCorrection(context, device.show(found).record, text)
      const stored = await device.correct(found, text, { ...details, dryRun, signal: world.terminal.interrupted })
      if (dryRun) return await answerPreview(answer, stored.record)
      await answerStored(answer, stored)
      for (const note of stored.notes) await diagnostics.note(note)
    })
  }
})

/**
 * Shows the memory that a number stands for, and asks the user to confirm the correction.
 *
 * @throws Fault `declined` if not.
 */
async function confirmCorrection(context: Context, record: MemoryRecord, text: string): Promise<void> {
  const isMeant = await ask(context, {
    about: memoryLines(record),
    text: 'Correct this memory?',
    otherwise: false,
    flag: '--yes',
    command: `memctl device correct ${record.id} ${shellWord(text)}${snapshotFlag(context)}`
  })
  if (!isMeant) throw makeDeclinedFault('nothing was stored')
}

/** Maximum size of a text in bytes: a larger one would exceed the line limit of the format. */
const TEXT_BYTES_MAX = 16 << 20

async function readCorrection(context: Context, { id, text, file }: Options): Promise<string> {
  const command = `memctl device correct ${id}${snapshotFlag(context)} -f`
  const words = textOfWords(context.world, text, { file: command })
  const read = file === undefined ? words : await readInputText(context.world, file, TEXT_BYTES_MAX)
  if (read === undefined || read === '') {
    throw new Fault('usage', 'the text is empty', { hint: `memctl device correct ${id} "a text", or -f FILE` })
  }
  return read
}
