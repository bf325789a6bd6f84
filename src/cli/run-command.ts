import { Fault } from '../contract/faults.ts'
import type { World } from '../ports.ts'
import { BRANCHES, wholeCatalogue } from './branches.ts'
import type { AnyCommand, Given } from './command.ts'
import { makeContext } from './context.ts'
import { type Found, findCommand, firstWord } from './find-command.ts'
import { globalFlags } from './global-options.ts'
import { helpWords } from './help-words.ts'
import type { Parsed, Place } from './parse-words.ts'
import { PROGRAM_SUMMARY } from './program-summary.ts'
import { readWords } from './read-words.ts'
import type { Rooms } from './rooms.ts'
import { faultOnSameServer } from './service/next-command.ts'
import { unlessStopped } from './unless-stopped.ts'
import { VERSION } from './version.ts'

/** From words to a finished command. Rejects with its fault; what was held back of its talk is said when it succeeds. */
export async function runCommand(argv: readonly string[], world: World, rooms: Rooms): Promise<void> {
  if (argv.length === 1 && argv[0] === '--version') return await world.terminal.output.write(`${VERSION}\n`)
  const words = helpWords(argv)
  const branch = BRANCHES.find(({ name }) => name === firstWord(words))
  const found = findCommand(words, branch === undefined ? [] : [await branch.load()])
  const place = { path: found.path, summary: found.summary || PROGRAM_SUMMARY, columns: helpColumns(world) }
  const { command } = found
  if (command === undefined) return await answerGroup(found, { ...place, asked: argv }, world)
  const { given, help } = await parse(command, found.words, place)
  if (given === undefined) {
    const more = command.manual === undefined ? '' : `\n${await command.manual()}`
    return await world.terminal.output.write(`${help}${more}`)
  }
  const context = makeContext(world, checkedFlags(given), { rooms, catalogue: wholeCatalogue })
  try {
    await unlessStopped(command, world, () => command.execute(context, given))
  } catch (error) {
    throw faultOnSameServer(error, context)
  }
  await context.talk.flush()
}

/** Plain words are read at once; the package that knows every way of writing them, help and guesses comes for the rest. */
async function parse(command: AnyCommand, words: readonly string[], place: Place): Promise<Parsed> {
  const given = readWords(command, words)
  if (given !== undefined) return { given }
  const { parseCommand } = await import('./parse-words.ts')
  return parseCommand(command, words, place)
}

async function answerGroup(
  { entries, words, about }: Found,
  { asked, ...place }: Place & { asked: readonly string[] },
  world: World
): Promise<void> {
  const { parseGroup } = await import('./parse-words.ts')
  const isTop = place.path.length === 1
  const meant = isTop && words.some((word) => !word.startsWith('-')) ? await guesses(asked, words) : []
  const { given, help } = parseGroup(isTop ? BRANCHES : entries, words, { ...place, meant })
  if (given?.options.version === true) return await world.terminal.output.write(`${VERSION}\n`)
  if (help !== undefined) {
    const more = about === undefined ? '' : `\n${await about()}`
    return await world.terminal.output.write(`${help}${more}`)
  }
  throw new Fault('usage', `'${place.path.join(' ')}' needs the name of a command`, {
    hint: `${place.path.join(' ')} --help lists them`
  })
}

async function guesses(asked: readonly string[], words: readonly string[]): Promise<readonly string[]> {
  const { perhapsMeant } = await import('./perhaps-meant.ts')
  return perhapsMeant(asked, words, await wholeCatalogue())
}

function checkedFlags(given: Given): ReturnType<typeof globalFlags> {
  const flags = globalFlags(given.options)
  if (flags.json && flags.jsonl)
    throw new Fault('usage', '--json and --jsonl exclude each other', { hint: 'give one of them' })
  if (flags.fields?.length === 0)
    throw new Fault('usage', '--fields names no field', { hint: 'for example --fields id,text' })
  return flags
}

/** Help is read in a terminal or piped to a pager: as wide as the one, and no wider than is good to read. */
function helpColumns({ terminal }: World): number {
  return terminal.output.isTerminal ? Math.min(terminal.output.columns, 110) : 100
}
