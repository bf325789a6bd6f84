import { Fault } from '../../../contract/faults.ts'
import { defineCommand, type Given } from '../../command.ts'
import { integerOption, textOption, textsOption } from '../../input/option-values.ts'
import { TEXT_OPTION, type TextWords, textWords } from '../../input/text-words.ts'
import { storeBatch } from './store-batch.ts'
import { storeOne } from './store-one.ts'
import { storeRemote } from './store-remote.ts'

/** What `store` was asked: one text with what is said of it, or a file of many. */
export type StoreOptions = { dryRun: boolean; remote: boolean } & (SingleStore | { batch: string })

export type SingleStore = {
  batch?: undefined
  text: TextWords
  file: string | undefined
  metadata: string[]
  at: string | undefined
  speaker: string | undefined
  conversation: string | undefined
  position: number | undefined
}

export const store = defineCommand<StoreOptions>({
  name: 'store',
  summary: 'remember a text, or many',
  words: [{ name: '[text...]', about: 'what to remember, as one word: quote it' }],
  options: [
    TEXT_OPTION,
    { flags: '-f, --file <file>', about: 'the text is in a file; - is stdin' },
    { flags: '--metadata <k=v>', about: 'k=text, k:=JSON or a JSON object; may be given more than once', repeat: true },
    {
      flags: '--at <time>',
      about: 'when it was said: ISO, UTC without a zone, or 2h for two hours ago; now by default'
    },
    { flags: '--speaker <name>', about: 'who said it' },
    { flags: '--conversation <id>', about: 'the conversation it belongs to' },
    { flags: '--position <n>', about: 'its place among those of its conversation with the same time' },
    {
      flags: '--batch <file>',
      about: 'many: JSON Lines of {"raw_text", "metadata"?, "at"?, "speaker"?, "conversation"?, "position"?}'
    },
    { flags: '--dry-run', about: 'store nothing, show the records that would be stored' },
    {
      flags: '--remote',
      about:
        'send snapshot and text along, and have the server understand it; it keeps nothing. What the flags say is kept as metadata'
    }
  ],
  about:
    'A memory that was acknowledged is on the disk. A batch can be given again after an interruption: what is there is ' +
    'not stored twice. A text that begins with a dash goes after --. The path of an existing ' +
    'file or folder is refused: -f stores what is in a file, --text or -- the path itself.',
  examples: [
    'memctl device store "Anna moved to Lisbon in May" --speaker Ben',
    'memctl device store -f notes.txt',
    'git log -1 --format=%B | memctl device store -f - --metadata source=git',
    'memctl device store --batch chat.jsonl'
  ],
  leaves: 'A memory is stored whole or not at all; a batch can be given again, and what is there is not stored twice',
  parse: parseStore,
  run: (context, options) => {
    if (options.batch !== undefined) return storeBatch(context, options.batch, options.dryRun)
    return options.remote ? storeRemote(context, options) : storeOne(context, options)
  }
})

/** Flags that describe one text, which the lines of a batch bring themselves. */
const SINGLE_FLAGS = ['text', 'file', 'metadata', 'at', 'speaker', 'conversation', 'position']

function parseStore(given: Given): StoreOptions {
  const { words, options } = given
  const dryRun = options.dryRun === true
  const remote = options.remote === true
  const batch = textOption(options, 'batch')
  if (remote && (dryRun || batch !== undefined))
    throw new Fault('usage', '--remote takes one text, and no --dry-run', { hint: 'leave out --remote: it works here' })
  if (batch !== undefined) {
    const flag = SINGLE_FLAGS.find((name) => options[name] !== undefined)
    if (flag !== undefined)
      throw new Fault('usage', `--batch and --${flag} exclude each other`, {
        hint: `put "${flag}" into the lines of the batch`
      })
    if (words.length > 0)
      throw new Fault('usage', '--batch and a text exclude each other', { hint: 'give one of them' })
    return { batch, dryRun, remote }
  }
  const file = textOption(options, 'file')
  if (words.length === 0 && file === undefined) {
    throw new Fault('usage', 'there is no text to store', {
      hint: 'memctl device store "a text", or -f FILE, or -f - for stdin'
    })
  }
  if (words.length > 0 && file !== undefined)
    throw new Fault('usage', 'a text and --file exclude each other', { hint: 'give one of them' })
  return { text: textWords(given), file, dryRun, remote, ...parseDetails(options) }
}

function parseDetails(options: Given['options']): Omit<SingleStore, 'text' | 'file' | 'batch'> {
  return {
    metadata: textsOption(options, 'metadata'),
    at: textOption(options, 'at'),
    speaker: textOption(options, 'speaker'),
    conversation: textOption(options, 'conversation'),
    position: integerOption(options, 'position', { least: Number.MIN_SAFE_INTEGER, most: Number.MAX_SAFE_INTEGER })
  }
}
