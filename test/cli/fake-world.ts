import type { Output, World } from '../../src/ports.ts'
import { type MemoryFiles, memoryFiles } from './memory-files.ts'

/** What a test says of the world it wants; all else is quiet: no terminal, no input, no variables. */
export type Wishes = {
  environment?: Record<string, string>
  /** Which of the streams are terminals. */
  terminals?: readonly ('input' | 'output' | 'errors')[]
  columns?: number
  colors?: boolean
  stdin?: string | Uint8Array
  /** What the person answers to each question, in order. */
  answers?: readonly boolean[]
  /** The user's settings file. */
  preferences?: Record<string, unknown>
  current?: string
  files?: MemoryFiles
  runSelfOffline?: World['processes']['runSelfOffline']
}

export type FakeWorld = World & {
  files: MemoryFiles
  said: { stdout: string; stderr: string; questions: string[]; progress: string[] }
  interrupt(name: 'SIGINT' | 'SIGTERM'): void
  /** Ends every wait. */
  passTime(): void
}

/** The time it is, unless a test says otherwise. */
export const NOW = Date.parse('2026-05-01T12:00:00.000Z')

export function fakeWorld(wishes: Wishes = {}): FakeWorld {
  const said = { stdout: '', stderr: '', questions: [] as string[], progress: [] as string[] }
  const interruption = new AbortController()
  const isTerminal = (name: 'input' | 'output' | 'errors') => wishes.terminals?.includes(name) === true
  const answers = [...(wishes.answers ?? [])]
  const kept = { ...wishes.preferences }
  let endWait: () => void = () => undefined
  const waited = new Promise<void>((resolve) => {
    endWait = resolve
  })
  let random = 0
  const files = wishes.files ?? memoryFiles()
  files.makeFolders('/tmp')

  const output = (name: 'output' | 'errors', to: 'stdout' | 'stderr'): Output => ({
    isTerminal: isTerminal(name),
    columns: wishes.columns ?? 80,
    colors: wishes.colors ?? false,
    closed: false,
    write: async (text) => {
      said[to] += typeof text === 'string' ? text : Buffer.from(text).toString()
    }
  })

  return {
    said,
    interrupt: (name) => interruption.abort(name),
    passTime: () => endWait(),
    clock: { now: () => NOW, ticks: () => 0, wait: () => waited },
    ids: { randomHex: (bytes) => (++random).toString(16).padStart(bytes * 2, '0') },
    files,
    self: {
      host: 'here',
      bootId: '-',
      pidNamespace: '-',
      pid: 1,
      startTime: '-',
      process: () => undefined
    },
    folders: {
      current: wishes.current ?? '/work',
      home: '/home/ada',
      config: '/home/ada/config',
      data: '/home/ada/data',
      cache: '/home/ada/cache',
      temporary: '/tmp'
    },
    settings: wishes.environment ?? {},
    terminal: {
      input: { isTerminal: isTerminal('input'), read: () => bytesOf(wishes.stdin ?? '') },
      output: output('output', 'stdout'),
      errors: output('errors', 'stderr'),
      confirm: async (question) => {
        said.questions.push(question)
        return answers.shift() ?? false
      },
      progress: async (text) => {
        said.progress.push(text)
        return { update: (now) => void said.progress.push(now), stop: () => void said.progress.push('stopped') }
      },
      interrupted: interruption.signal
    },
    assets: { sqliteWasm: () => new Uint8Array() },
    processes: { runSelfOffline: wishes.runSelfOffline ?? (async () => ({ exitCode: 1, stdout: '', stderr: 'none' })) },
    preferences: {
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
}

async function* bytesOf(stdin: string | Uint8Array): AsyncGenerator<Uint8Array> {
  if (stdin.length > 0) yield typeof stdin === 'string' ? Buffer.from(stdin) : stdin
}
