import { Fault } from '../../../contract/faults.ts'
import { unlessAborted } from '../../../contract/unless-aborted.ts'
import type { Fetch } from '../../../ports.ts'
import { defineCommand } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { credentialsPath } from '../../credentials/read-credentials.ts'
import { textLines } from '../../output/card-lines.ts'
import type { ListView } from '../../output/result-writer.ts'
import { formatCount } from '../../output/short-forms.ts'
import type { Page, StyledLine } from '../../output/styled-line.ts'
import { wrapText } from '../../output/wrap-text.ts'
import { once } from '../../ports/lazy-modules.ts'
import { findOwnServer } from '../../service/find-own-server.ts'
import { openClient } from '../../service/open-client.ts'
import { type Finding, runChecks, runUntilProblem } from './check.ts'
import { DEVICE_CHECKS } from './device-checks.ts'
import { OWN_SERVER_CHECKS } from './own-server-checks.ts'
import { SERVER_CHECKS } from './server-checks.ts'

type Options = { failOnWarning: boolean; only: Finding['about'] | undefined }

export const doctorCommand = defineCommand<Options>({
  name: 'doctor',
  summary: 'Check your setup and suggest fixes',
  options: [
    { flags: '--device', about: 'skip checks that need a server' },
    { flags: '--fail-on-warning', about: 'exit with 9 if there are warnings' }
  ],
  about:
    'Checks Node.js, settings, variables, the snapshot, folders and disk space, then the server on this machine, then the ' +
    'configured server: its address, version, clock, database, key, collection and connections. Changes nothing, and waits at ' +
    'most 10 s for each response. Exits with 1 if it finds a problem. A server that is not running is a problem only if you have ' +
    'configured one or saved a key.',
  examples: ['memctl doctor', 'memctl doctor --json | jq ".[] | select(.state != \\"ok\\")"'],
  leaves: 'The checks change nothing',
  parse: ({ options }) => ({
    failOnWarning: options.failOnWarning === true,
    only: options.device === true ? 'device' : undefined
  }),
  run: async (context, { failOnWarning, only }) => {
    const findings = await checkDevice(context)
    if (only === undefined) findings.push(...(await checkServer(context, areSound(findings))))
    await context.answer.list(findings, VIEW)
    const count = (state: Finding['state']) => findings.filter((one) => one.state === state).length
    if (count('problem') > 0) throw new Fault('problems', `${formatCount(count('problem'), 'problem')} found`)
    if (failOnWarning && count('warning') > 0)
      throw new Fault('warnings', `${formatCount(count('warning'), 'warning')} found`)
  }
})

/** Checks settings first. If they are invalid, skips the checks that need them, so that one error is reported once. */
async function checkDevice(context: Context): Promise<Finding[]> {
  const [settings, others] = [
    DEVICE_CHECKS.filter(({ check }) => check === SETTINGS_CHECK),
    DEVICE_CHECKS.filter(({ check }) => check !== SETTINGS_CHECK)
  ]
  const findings = await runChecks(context, settings)
  const rest = areSound(findings) ? others : others.filter(({ needs }) => needs === undefined)
  return [...findings, ...(await runChecks(context, rest))]
}

const SETTINGS_CHECK = 'settings'

function areSound(findings: readonly Finding[]): boolean {
  return findings.every(({ check, state }) => check !== SETTINGS_CHECK || state !== 'problem')
}

/** Checks the server on this machine, then the configured one. Each group stops at its first problem, which explains the rest. */
async function checkServer(unlimited: Context, soundSettings: boolean): Promise<Finding[]> {
  const over = new AbortController()
  const end = AbortSignal.any([over.signal, unlimited.world.terminal.interrupted])
  const context = limitedContext(unlimited, end)
  try {
    const own = await runUntilProblem(context, OWN_SERVER_CHECKS)
    if (!soundSettings) return own
    const used = await runUntilProblem(context, SERVER_CHECKS)
    return [...own, ...((await isUnused(context)) ? used.map(unlessAway) : used)]
  } finally {
    over.abort()
  }
}

/** Returns whether the user has configured no server, saved no key and started no server on this machine. */
async function isUnused(context: Context): Promise<boolean> {
  const { settings, world } = context
  const isNamed = settings.get('server').origin !== 'default' || world.files.find(credentialsPath(world)) !== undefined
  return !isNamed && (await findOwnServer(context)) === undefined
}

function unlessAway(finding: Finding): Finding {
  if (finding.check !== 'reachable' || finding.state !== 'problem') return finding
  return { ...finding, state: 'ok', message: 'no server is running, and none is configured', hint: null }
}

const SIGNS = {
  ok: { text: 'ok      ', look: 'good' },
  warning: { text: 'warning ', look: 'note' },
  problem: { text: 'problem ', look: 'bad' }
} as const

const VIEW: ListView<Finding> = {
  columns: [
    { name: 'state', value: (row) => row.state },
    { name: 'about', value: (row) => row.about },
    { name: 'check', value: (row) => row.check },
    { name: 'message', value: (row) => row.message, flexible: true },
    { name: 'hint', value: (row) => row.hint, flexible: true }
  ],
  json: (row) => row,
  lines: (rows, page) => rows.flatMap((row) => findingLines(row, page))
}

/** Wraps the message in its own column, so that text from a provider never starts at the left edge. */
function findingLines({ about, check, state, message, hint }: Finding, page: Page): StyledLine[] {
  const sign = SIGNS[state]
  const name = `${about} ${check}`.padEnd(NAME_COLUMNS)
  const indent = sign.text.length + NAME_COLUMNS
  const room = page.columns - indent
  const rest: StyledLine[] = hint === null ? [] : [[{ text: `${' '.repeat(sign.text.length)}${hint}`, look: 'dim' }]]
  if (room < MESSAGE_COLUMNS_MIN) return [[sign, name], ...textLines(message, page, sign.text.length), ...rest]
  const [first = '', ...others] = wrapText(message, { ...page, columns: room })
  return [[sign, name, first], ...others.map((line): StyledLine => [' '.repeat(indent) + line]), ...rest]
}

/** In fewer columns, a message starts on a line of its own. */
const MESSAGE_COLUMNS_MIN = 24

/** Width of the longest name and a space. */
const NAME_COLUMNS = 23

/** Timeout of each request, in milliseconds. */
const ANSWER_MS = 10_000

/**
 * Returns the context with a limit of `ANSWER_MS` on each request, including its response body. Aborting `over` ends the
 * requests in flight.
 */
export function limitedContext(context: Context, over: AbortSignal): Context {
  const { settings, diagnostics, modules } = context
  const { exchange: _quicker, fetch: unlimited, ...others } = context.world
  const fetch: Fetch = async (request) => {
    const late = new AbortController()
    // Each request gets its own signal, because Node warns on stderr about many listeners on one signal.
    void others.clock.wait(ANSWER_MS, AbortSignal.any([over])).then(
      () => late.abort(tookTooLong()),
      () => undefined
    )
    const signal = AbortSignal.any([late.signal, over, request.signal])
    return await unlessAborted(unlimited(new Request(request, { signal })), late.signal)
  }
  const world = { ...others, fetch }
  return { ...context, world, client: once(() => openClient({ world, settings, diagnostics, modules })) }
}

/** Returns an error that looks like a timeout of the system. */
function tookTooLong(): Error {
  return Object.assign(new Error('no response in time'), { code: 'ETIMEDOUT', syscall: 'connect' })
}
