/** The outside world as types: all that rooms may ask of their machine. The real ones are in `bin/node`; nothing here has a body. */

export type World = {
  clock: Clock
  ids: Ids
  files: Files
  self: Self
  folders: Folders
  settings: Environment
  terminal: Terminal
  assets: Assets
  processes: Processes
  browser: Browser
  preferences: Preferences
  fetch: Fetch
  /** Absent: `fetch` does what it would. */
  exchange?: Exchange
  /** Absent: all work is done in this thread. */
  threads?: Threads
}

/** Time. `now` is in milliseconds since 1970-01-01T00:00:00Z and may jump either way; `ticks` only grows (ms). */
export type Clock = {
  now(): number
  ticks(): number
  wait(ms: number, signal?: AbortSignal): Promise<void>
}

export type Ids = {
  /** `bytes` random bytes, from the system's cryptographic source, as lower-case hex. */
  randomHex(bytes: number): string
}

/** What a lock says about the process that holds it. An unknown part is `-`. */
export type Self = {
  host: string
  bootId: string
  pidNamespace: string
  pid: number
  startTime: string
  /** What the system says about another process of this machine; undefined where it cannot say. */
  process(pid: number): { state: 'absent' | 'zombie' | 'alive'; startTime: string } | undefined
}

export type FileKind = 'file' | 'folder' | 'link' | 'other'

/** Sizes in bytes, times in nanoseconds since 1970. */
export type FileFacts = {
  kind: FileKind
  dev: bigint
  ino: bigint
  links: number
  mode: number
  size: number
  mtimeNs: bigint
  ctimeNs: bigint
}

/** How a file is opened. None of them follows a symlink in the last part of the path. */
export type FileAccess =
  /** Reading. Never waits for a writer (a FIFO does not block). */
  | 'read'
  /** Reading and writing, every write at the end. Does not create. */
  | 'append'
  /** Writing a new file, or an old one from its start after cutting it to nothing. */
  | 'overwrite'
  /** Writing a file that must not exist yet. */
  | 'create'
  /** Reading and writing in place. Does not create. */
  | 'update'

/** Files, a synchronous system call each: no step of the append protocol mixes with other work. A refusal throws a `SystemError`. */
export type Files = {
  open(path: string, access: FileAccess, mode?: number): number
  close(fd: number): void
  /** Bytes read into the start of `into` from byte `at` of the file; 0 at the end of the file. */
  read(fd: number, into: Uint8Array, at: number): number
  /** Bytes written, which may be fewer than asked. Without `at`: at the end in `append`, else after the last write. */
  write(fd: number, bytes: Uint8Array, at?: number): number
  /** Data on the disk (fdatasync). */
  syncData(fd: number): void
  /** Data and all file facts on the disk (fsync). */
  sync(fd: number): void
  /** The folder's entries on the disk. Does nothing where folders cannot be synced. */
  syncFolder(path: string): void
  truncate(fd: number, size: number): void
  facts(fd: number): FileFacts
  /** Facts of what a path leads to, through symlinks; undefined where nothing is there. */
  find(path: string): FileFacts | undefined
  /** Facts of the path itself, a symlink being a symlink; undefined where nothing is there. */
  findEntry(path: string): FileFacts | undefined
  rename(from: string, to: string): void
  unlink(path: string): void
  link(target: string, path: string): void
  readLink(path: string): string
  realPath(path: string): string
  makeFolders(path: string): void
  list(path: string): string[]
  setMode(path: string, mode: number): void
}

/** What a refused system call throws: Node's own errors have this shape. `code` is POSIX: ENOENT, ENOSPC, … */
export type SystemError = Error & { code: string; path?: string; syscall?: string }

/** Absolute paths. */
export type Folders = { current: string; home: string; config: string; data: string; cache: string; temporary: string }

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>

/** One of the three standard streams, as far as commands need it. */
export type Output = {
  isTerminal: boolean
  /** Characters in a line; 80 if unknown. */
  columns: number
  /** Lines of the screen; 24 if unknown. */
  rows: number
  colors: boolean
  /** Resolves when the stream can take more. After the reader has gone: resolves, `closed` is true, the text is dropped. */
  write(text: string | Uint8Array): Promise<void>
  closed: boolean
}

export type Terminal = {
  input: { isTerminal: boolean; read(): AsyncIterable<Uint8Array> }
  output: Output
  errors: Output
  /** Whether what was written to stderr can be drawn over: not where it is no terminal, or a dumb one. */
  drawsOver: boolean
  /** Asks a yes/no question on stderr. Loads its package at first use. Rejects with a `cancelled` fault on Ctrl-C. */
  confirm(question: string, otherwise: boolean): Promise<boolean>
  /** Asks for a line on stderr, likewise; a secret without showing what is typed. */
  askLine(question: string): Promise<string>
  askSecret(question: string): Promise<string>
  /** Shows something on stderr that a person works with by keys, until it is over. Loads its package at first use; likewise. */
  interact(interaction: Interaction): Promise<void>
  /** A line on stderr that is rewritten in place while work goes on. Loads its package at first use. */
  progress(text: string): Promise<Progress>
  /** Aborted by SIGINT or SIGTERM; `reason` is the signal's name. */
  interrupted: AbortSignal
}

export type Progress = { update(text: string): void; stop(): void }

/** Columns and lines of a terminal. */
export type ScreenSize = { columns: number; rows: number }

/** A key that was pressed: what it is called (`up`, `return`, `a`), and what it types, where it types something. */
export type Key = { name: string; text: string; ctrl: boolean }

/** Lines without their ends, safe to write. The cursor stands at the end of the first one. `busy`: it moves by itself. */
export type Drawn = { line: string; below: readonly string[]; busy: boolean }

/** Something that a person works with by keys. It keeps its own state and is drawn anew after each key. */
export type Interaction = {
  /** It begins. `onChange` is for changes that no key made. */
  start(onChange: () => void): void
  /** As it looks now, smaller than the terminal; undefined when it is over. `beat` grows several times a second while it is busy. */
  draw(size: ScreenSize, beat: number): Drawn | undefined
  press(key: Key, size: ScreenSize): void
}

export type Assets = {
  /** The bytes of SQLite as WebAssembly. */
  sqliteWasm(): Uint8Array
  /** The bytes of related terms (see `src/search/related/related-terms-layout.ts`). */
  relatedTerms(): Uint8Array
}

/** Other threads of this machine. */
export type Threads = {
  /** How many can run beside this one, each on a processor of its own. */
  spare: number
  /** Reads a part of a snapshot file in another thread. What it found is handed over, not copied. */
  survey(task: SurveyTask): Promise<unknown>
}

/** The lines of the file at `path` from byte `from`, where a line starts, to byte `to`, where one ends. */
export type SurveyTask = { path: string; from: number; to: number }

/** The fetch port: what sends a request, and what the server is. Types of the platform, none of them a package's own. */
export type Fetch = (request: Request) => Promise<Response>

/** The same in plain values: the platform's classes take longer to load than a short command to run. A `Response` is a reply too. */
export type Exchange = (request: PlainRequest) => Promise<PlainReply>

export type PlainRequest = {
  url: string
  method: string
  headers: Readonly<Record<string, string>>
  /** A stream is read once and as it is sent. */
  body?: Uint8Array | AsyncIterable<Uint8Array> | undefined
  signal?: AbortSignal | undefined
}

/** No redirect is followed. The body is undefined or null where a reply of its status has none. */
export type PlainReply = {
  status: number
  headers: { get(name: string): string | null }
  body?: AsyncIterable<Uint8Array> | null
}

/** Programs of ours that run in a thread of their own; `documents` in child processes, since strangers wrote what it reads. */
export type ThreadProgram = 'engine' | 'storage' | 'documents'

/** A thread that answers calls, several at a time. What goes over is copied, but buffers in `hand` are moved. A Fault there is one here. */
export type Thread = {
  call(name: string, argument: unknown, hand?: readonly ArrayBuffer[]): Promise<unknown>
  /** Ends it. Calls under way reject with a Fault `unavailable`. */
  end(): Promise<void>
}

/** Its other end: a function for each call. What that pushes to `hand` is moved with the answer, so the memory must be the answer's alone. */
export type ThreadHandlers = Readonly<Record<string, (argument: never, hand: ArrayBuffer[]) => unknown>>

/** What a thread runs: makes its handlers out of what it was told at its start. What it throws, every call rejects with. */
export type ThreadMain = (data: never) => ThreadHandlers | Promise<ThreadHandlers>

/** Starts a thread; `data` is what its program is told at its start. */
export type StartThread = (program: ThreadProgram, data: unknown) => Thread

/** What happened, for whoever runs the server. Never a secret: see the fields that the real one keeps out. */
export type Log = {
  /** Somebody must look. */
  error(fields: LogFields, message: string): void
  /** Something changed. */
  info(fields: LogFields, message: string): void
  debug(fields: LogFields, message: string): void
}

export type LogFields = Readonly<Record<string, unknown>>

export type Processes = {
  /** This very program once more with other arguments, in which every use of the network throws. */
  runSelfOffline(
    args: string[],
    environment: Record<string, string>
  ): Promise<{ exitCode: number; stdout: string; stderr: string }>
  /**
   * Any program by its name and arguments, without a shell and without input. It is ended after `waitMs`, when it
   * writes more than 1 MiB, or when the signal is aborted; `exitCode` is then undefined. What it writes to stderr is not
   * kept. Rejects with a `SystemError` where it cannot be started.
   */
  run(
    words: readonly [string, ...string[]],
    options: { waitMs: number; signal: AbortSignal }
  ): Promise<{ exitCode: number | undefined; stdout: string }>
  /**
   * Runs a pager, without a shell, with `text` on its stdin and the terminal as its stdout and stderr. Until it ends, Ctrl-C
   * belongs to the pager; the signal ends it. Resolves with true if a person could read the text, and with false if the
   * pager could not be started or reported a failure.
   */
  page(words: readonly [string, ...string[]], text: string, signal: AbortSignal): Promise<boolean>
}

/** The browser of whoever sits at this machine. */
export type Browser = {
  /**
   * Has an http or https address opened there. Resolves with what it failed of, half a sentence, else with undefined; where the
   * browser itself is what was started, not before it is closed. The package that knows how is loaded at first use.
   */
  open(address: string): Promise<string | undefined>
}

/** The user's settings file: flat JSON, values are strings. The package that writes it is loaded at first write. */
export type Preferences = {
  path: string
  read(): Record<string, unknown>
  write(key: string, value: string): Promise<void>
  remove(key: string): Promise<void>
}

/** What the flags of a command say, by the key of the setting, as it was written. */
export type ServerFlags = Readonly<Record<string, string | undefined>>

/** A start of this very program in a process group of its own. */
export type DetachedStart = {
  args: readonly string[]
  /** Besides the variables of this process. For what others of this machine must not read in a list of processes. */
  environment: Readonly<Record<string, string>>
  /** What it says is appended to this file. */
  logFile: string
  /** It stops as soon as this process lets go of it or is gone, however that came. */
  tied?: true
}

export type DetachedProcess = {
  pid: number
  /** The first line on its stdout, which it writes when it is ready; undefined where it ended without. */
  firstLine: Promise<string | undefined>
  /** Resolves when it has ended, with its exit code or the name of the signal. */
  ended: Promise<number | string>
  /** Lets go of it: this process may end before it does. */
  release(): void
}

/** What is asked about the machine to find out why something does not work; `nodeVersion` is as in `20.19.0`. */
export type Machine = {
  nodeVersion: string
  /** Bytes that are free for this user where `path` lies; undefined where the system does not say, or has no disk there. */
  freeBytes(path: string): number | undefined
  /** Whether this user may write into a folder, or to a file. */
  mayWrite(path: string): boolean
  /** Whether a folder can be made in this one, which may be written to. Nothing stays behind. */
  takesFolders(folder: string): boolean
}
