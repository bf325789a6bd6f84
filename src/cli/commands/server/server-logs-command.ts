import { join } from 'node:path'
import { Fault } from '../../../contract/faults.ts'
import type { ServerFlags } from '../../../ports.ts'
import { defineCommand } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { integerOption } from '../../input/command-line.ts'
import { parseJsonObject } from '../../input/parse-json-object.ts'
import { makeSystemFault } from '../../input/read-file-bytes.ts'
import { quoteLine } from '../../output/card-lines.ts'
import { drawLine, type Look, type StyledLine } from '../../output/styled-line.ts'
import { findDataFolder } from '../../service/find-own-server.ts'
import { replyText } from '../../views/reply-text.ts'
import { nextBytes, readTail } from './read-tail.ts'
import { DATA_DIR_OPTION, serverFlags } from './server-flags.ts'

type Options = { flags: ServerFlags; lines: number; follow: boolean }

const LINES = 50
const LINES_MAX = 1_000_000

export const serverLogsCommand = defineCommand<Options>({
  name: 'logs',
  summary: 'Show the log of a background server',
  options: [
    { flags: '-n, --lines <n>', about: `number of lines from the end of the log (default: ${LINES})` },
    { flags: '--follow', about: 'keep printing new lines until Ctrl-C' },
    DATA_DIR_OPTION
  ],
  about:
    'Shows the log of a server that was started with --detach. In a pipe and with --json, prints the original lines, which are JSON.',
  examples: ['memctl server logs -n 5', 'memctl server logs --follow | jq -c "select(.level == \\"error\\")"'],
  pages: ({ options }) => options.follow !== true,
  leaves: 'Nothing was changed',
  parse: ({ options }) => ({
    flags: serverFlags(options),
    lines: integerOption(options, 'lines', { least: 0, most: LINES_MAX }) ?? LINES,
    follow: options.follow === true
  }),
  run: async (context, { flags, lines, follow }) => {
    const host = await context.modules.server()
    const folder = await findDataFolder(context, host, flags)
    const facts = host.facts(folder)
    const path = facts?.log_file ?? join(folder, 'server.log')
    if (makeSystemFault(path, () => context.world.files.find(path)) === undefined) {
      throw new Fault('not_found', `log ${path} does not exist`, {
        hint: 'only memctl server start --detach writes a log file; a server in the foreground logs to stderr'
      })
    }
    if (facts?.log_file === null && host.isRunning(facts))
      await context.diagnostics.note(
        `process ${facts.pid} runs in the foreground and logs to stderr; this is the log of an earlier server`
      )
    const { bytes, end } = makeSystemFault(path, () => readTail(context.world.files, { path, from: 0 }, lines))
    await show(context, sliceLastLines(bytes, lines))
    if (follow) await goOn(context, path, end)
  }
})

/** Returns the last lines, including a last line that is still incomplete. */
function sliceLastLines(bytes: Buffer, lines: number): Buffer {
  let start = bytes.length
  for (let found = 0; start > 0; start--) {
    if (bytes[start - 1] === LF && start < bytes.length && ++found === lines) break
    if (lines === 0) return bytes.subarray(bytes.lastIndexOf(LF) + 1)
  }
  return bytes.subarray(start)
}

const LF = 0x0a

/** Interval of checks for new lines, in milliseconds. */
const LOOK_MS = 100

/** Prints new lines. A log that became shorter was rotated and is read from its start. */
async function goOn(context: Context, path: string, from: number): Promise<void> {
  const { clock, files, terminal } = context.world
  for (let at = from; context.answer.isWanted(); ) {
    if (terminal.interrupted.aborted) throw new Fault('cancelled', '')
    if ((files.find(path)?.size ?? at) < at) at = 0
    const more = files.find(path) === undefined ? Buffer.alloc(0) : nextBytes(files, { path, from: at })
    const whole = more.subarray(0, more.lastIndexOf(LF) + 1)
    await show(context, whole)
    at += whole.length
    if (whole.length === 0) await clock.wait(LOOK_MS, terminal.interrupted)
  }
}

const AS_IT_IS = { fields: undefined, indent: 0 }

async function show({ answer, flags, world }: Context, bytes: Buffer): Promise<void> {
  const { output } = world.terminal
  if (!output.isTerminal) return await answer.raw(bytes)
  const lines = bytes.toString('utf8').split('\n')
  if (lines.at(-1) === '') lines.pop()
  // A terminal never gets the original bytes, even in JSON mode, because they may contain control sequences.
  if (answer.mode !== 'table') return await answer.raw(lines.map((line) => replyText(line, AS_IT_IS)).join(''))
  const colors = flags.color && output.colors
  await answer.raw(lines.map((line) => `${drawLine(formatLogLine(line), colors)}\n`).join(''))
}

/**
 * Formats a line of a server's log for a terminal: time, level, message, and the other members as `name=value`. A line
 * that is not a JSON object is quoted.
 */
function formatLogLine(line: string): StyledLine {
  const entry = parseJsonObject(line)
  if (entry === undefined) return quoteLine([line])
  const { level, time, msg, pid: _pid, hostname: _host, ...rest } = entry
  const fields = Object.entries(rest).map(([name, value]) => `${name}=${formatValue(value)}`)
  return [
    { text: `${formatTime(time)} `, look: 'dim' },
    { text: `${String(level ?? '')} `, look: chooseLook(level) },
    String(msg ?? ''),
    { text: fields.length === 0 ? '' : `  ${fields.join(' ')}`, look: 'dim' }
  ]
}

/** Formats a time in UTC with milliseconds. */
function formatTime(time: unknown): string {
  const date = typeof time === 'number' || typeof time === 'string' ? new Date(time) : undefined
  return date === undefined || Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, 23).replace('T', ' ')
}

function formatValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function chooseLook(level: unknown): Look {
  return level === 'error' || level === 50 ? 'bad' : 'plain'
}
