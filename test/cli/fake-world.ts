import { Fault } from '../../src/contract/faults.ts'
import type { Interaction, Key, Output, Preferences, Terminal, World } from '../../src/ports.ts'
import { type MemoryFiles, memoryFiles } from './memory-files.ts'

/** Settings of a fake world. By default it has no terminal, no input and no variables. */
export type Wishes = {
  environment?: Record<string, string>
  /** Which of the streams are terminals. */
  terminals?: readonly ('input' | 'output' | 'errors')[]
  /** The session of the terminal; none by default. */
  session?: string
  columns?: number
  rows?: number
  colors?: boolean
  /** A terminal that cannot be redrawn. */
  dumb?: boolean
  stdin?: string | Uint8Array
  /** The answers of the user to each question, in order. */
  answers?: readonly boolean[]
  /** The user's settings file. */
  preferences?: Record<string, unknown>
  current?: string
  files?: MemoryFiles
  runSelfOffline?: World['processes']['runSelfOffline']
  run?: World['processes']['run']
  /** Whether the pager shows what it gets; by default it does. */
  page?: World['processes']['page']
  /** Lines that the user types, in order. */
  typed?: readonly string[]
  /** Keys that the user presses in a picker or view, in order: names or letters, then Ctrl-C. */
  keys?: readonly string[]
  /** The error of opening a URL in the browser, when it becomes known. */
  browser?: World['browser']['open']
  /** Handles requests. Without it every connection is refused. */
  fetch?: World['fetch']
  /** Ends each wait at once and advances the clock by it. */
  quickTime?: boolean
}

export type FakeWorld = World & {
  files: MemoryFiles
  said: {
    stdout: string
    stderr: string
    questions: string[]
    progress: string[]
    screens: string[]
    opened: string[]
    paged: { words: readonly string[]; text: string }[]
  }
  interrupt(name: 'SIGINT' | 'SIGTERM'): void
  /** Ends every wait. */
  passTime(): void
}

/** The default time. */
export const NOW = Date.parse('2026-05-01T12:00:00.000Z')

export function fakeWorld(wishes: Wishes = {}): FakeWorld {
  const said = { stdout: '', stderr: '', ...emptyLists() }
  const interruption = new AbortController()
  const time = fakeTime()
  const files = wishes.files ?? memoryFiles()
  files.makeFolders(FOLDERS.temporary)
  let random = 0
  return {
    said,
    files,
    interrupt: (name) => interruption.abort(name),
    passTime: time.pass,
    clock: wishes.quickTime ? quickClock() : { now: () => NOW, ticks: () => 0, wait: () => time.passed },
    ids: { randomHex: (bytes) => (++random).toString(16).padStart(bytes * 2, '0') },
    self: { host: 'here', bootId: '-', pidNamespace: '-', pid: 1, startTime: '-', process: () => undefined },
    folders: { ...FOLDERS, current: wishes.current ?? FOLDERS.current },
    settings: wishes.environment ?? {},
    terminal: fakeTerminal(wishes, said, interruption.signal),
    assets: {
      sqliteWasm: () => new Uint8Array(),
      relatedTerms: () => new Uint8Array(),
      wordVectors: () => new Uint8Array()
    },
    processes: {
      runSelfOffline: wishes.runSelfOffline ?? (async () => ({ exitCode: 1, stdout: '', stderr: 'none' })),
      run: wishes.run ?? (async () => ({ exitCode: 1, stdout: '' })),
      page: async (words, text, signal) => {
        said.paged.push({ words, text })
        return wishes.page === undefined || (await wishes.page(words, text, signal))
      }
    },
    browser: {
      open: async (address) => {
        said.opened.push(address)
        return await wishes.browser?.(address)
      }
    },
    preferences: fakePreferences(wishes.preferences),
    fetch: wishes.fetch ?? nobodyListens
  }
}

function emptyLists(): Pick<FakeWorld['said'], 'questions' | 'progress' | 'screens' | 'opened' | 'paged'> {
  return { questions: [], progress: [], screens: [], opened: [], paged: [] }
}

const FOLDERS = {
  current: '/project',
  home: '/home/ada',
  config: '/home/ada/config',
  data: '/home/ada/data',
  cache: '/home/ada/cache',
  temporary: '/tmp'
}

function fakeTerminal(wishes: Wishes, said: FakeWorld['said'], interrupted: AbortSignal): Terminal {
  const answers = [...(wishes.answers ?? [])]
  const typed = [...(wishes.typed ?? [])]
  const askLine = async (question: string): Promise<string> => {
    said.questions.push(question)
    return typed.shift() ?? ''
  }
  const isTerminal = (name: 'input' | 'output' | 'errors') => wishes.terminals?.includes(name) === true
  const output = (name: 'output' | 'errors', to: 'stdout' | 'stderr'): Output => ({
    isTerminal: isTerminal(name),
    columns: wishes.columns ?? 80,
    rows: wishes.rows ?? 24,
    colors: wishes.colors ?? false,
    closed: false,
    write: async (text) => {
      said[to] += typeof text === 'string' ? text : Buffer.from(text).toString()
    }
  })
  return {
    input: { isTerminal: isTerminal('input'), read: () => bytesOf(wishes.stdin ?? '') },
    output: output('output', 'stdout'),
    errors: output('errors', 'stderr'),
    drawsOver: isTerminal('errors') && wishes.dumb !== true,
    session: wishes.session,
    confirm: async (question) => {
      said.questions.push(question)
      return answers.shift() ?? false
    },
    askLine,
    askSecret: askLine,
    interact: (interaction) => work(interaction, wishes, said.screens),
    progress: async (text) => {
      said.progress.push(text)
      return { update: (now) => void said.progress.push(now), stop: () => void said.progress.push('stopped') }
    },
    interrupted
  }
}

/** Presses each key when all pending work is done, and records the screen after it. */
async function work(interaction: Interaction, { keys = [], columns = 80 }: Wishes, screens: string[]): Promise<void> {
  const size = { columns, rows: 24 }
  interaction.start(() => undefined)
  for (const name of [...keys, 'none']) {
    for (let turn = 0; turn < TURNS; turn++) await new Promise((resolve) => setImmediate(resolve))
    const drawn = interaction.draw(size, 0)
    if (drawn === undefined) return
    screens.push([drawn.line, ...drawn.below].join('\n'))
    interaction.press(keyNamed(name), size)
  }
  if (interaction.draw(size, 0) !== undefined) throw new Fault('cancelled', 'stopped')
}

/** Turns of the event loop in which a scripted service has answered. */
const TURNS = 20

/** Returns the key of that name, or the one that types this letter. */
export function keyNamed(name: string): Key {
  return { name, text: [...name].length === 1 ? name : name === 'space' ? ' ' : '', ctrl: false }
}

function fakePreferences(given: Record<string, unknown> = {}): Preferences {
  const kept = { ...given }
  return {
    path: '/home/ada/config/config.json',
    read: () => ({ ...kept }),
    write: async (key, value) => {
      kept[key] = value
    },
    remove: async (key) => {
      delete kept[key]
    }
  }
}

async function nobodyListens(): Promise<Response> {
  throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' })
}

/** Turns of the event loop without a new wait before time advances, so that pending work runs first. */
const IDLE_TURNS = 10

/** Creates a clock that advances to the end of the shortest wait. */
function quickClock(): World['clock'] {
  type Wait = { until: number; resolve(): void }
  let passedMs = 0
  let begun = 0
  let running = false
  const waits = new Set<Wait>()
  const runTime = async (): Promise<void> => {
    if (running) return
    running = true
    while (waits.size > 0) {
      for (let turns = 0, before = begun; turns < IDLE_TURNS; turns = before === begun ? turns + 1 : 0) {
        before = begun
        await new Promise((resolve) => setImmediate(resolve))
      }
      const [first] = [...waits].sort((a, b) => a.until - b.until)
      if (first === undefined) break
      waits.delete(first)
      passedMs = Math.max(passedMs, first.until)
      first.resolve()
    }
    running = false
  }
  return {
    now: () => NOW + passedMs,
    ticks: () => passedMs,
    wait: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        const stop = (): void => {
          waits.delete(wait)
          reject(signal?.reason)
        }
        const done = (): void => {
          signal?.removeEventListener('abort', stop)
          resolve()
        }
        const wait = { until: passedMs + ms, resolve: done }
        signal?.addEventListener('abort', stop)
        waits.add(wait)
        begun++
        void runTime()
      })
  }
}

/** Creates a clock that stands still until the test advances it. */
function fakeTime() {
  let pass: () => void = () => undefined
  const passed = new Promise<void>((resolve) => {
    pass = resolve
  })
  return { passed, pass: () => pass() }
}

async function* bytesOf(stdin: string | Uint8Array): AsyncGenerator<Uint8Array> {
  if (stdin.length > 0) yield typeof stdin === 'string' ? Buffer.from(stdin) : stdin
}
