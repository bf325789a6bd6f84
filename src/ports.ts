/**
 * The outside world as types: everything that a layer may use of the machine. The implementations are in `bin/node`.
 */

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
  /** If absent, `fetch` is used. */
  exchange?: Exchange
  /** If absent, all work is done in this thread. */
  threads?: Threads
  /** If absent, changes are found by reading again. */
  watchPath?: WatchPath
}

/**
 * Calls back when something in a file or folder may have changed, until the returned function is called. Changes may be
 * missed.
 */
export type WatchPath = (path: string, onChange: () => void) => () => void

/** Time. `now` is in milliseconds since 1970-01-01T00:00:00Z and may jump either way; `ticks` never decreases (ms). */
export type Clock = {
  now(): number
  ticks(): number
  wait(ms: number, signal?: AbortSignal): Promise<void>
}

export type Ids = {
  /** Returns `bytes` random bytes from the cryptographic source of the system, as lower-case hex. */
  randomHex(bytes: number): string
}

/** What a lock stores about the process that owns it. An unknown part is `-`. */
export type Self = {
  host: string
  bootId: string
  pidNamespace: string
  pid: number
  startTime: string
  /** Returns the state of another process of this machine; undefined if the system cannot provide it. */
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

/** How a file is opened. No mode follows a symlink in the last part of the path. */
export type FileAccess =
  /** Read. Never waits for a writer (a FIFO does not block). */
  | 'read'
  /** Read, and write at the end. Does not create the file. */
  | 'append'
  /** Write a new file, or truncate an existing one and write it. */
  | 'overwrite'
  /** Write a file that must not exist yet. */
  | 'create'
  /** Read and write in place. Does not create the file. */
  | 'update'

/**
 * Files, with one synchronous system call per method, so that no other work runs between the steps of an append. A
 * failed call throws a `SystemError`.
 */
export type Files = {
  open(path: string, access: FileAccess, mode?: number): number
  close(fd: number): void
  /**
   * Reads into the start of `into` from byte `at` of the file, and returns the number of bytes; 0 at the end of the
   * file.
   */
  read(fd: number, into: Uint8Array, at: number): number
  /**
   * Returns the number of bytes written, which may be fewer than requested. Without `at`: at the end in `append`,
   * otherwise after the last write.
   */
  write(fd: number, bytes: Uint8Array, at?: number): number
  /** Syncs the data to the disk (fdatasync). */
  syncData(fd: number): void
  /** Syncs the data and all file facts to the disk (fsync). */
  sync(fd: number): void
  /** Syncs the entries of the folder to the disk. Does nothing on systems that cannot sync folders. */
  syncFolder(path: string): void
  truncate(fd: number, size: number): void
  facts(fd: number): FileFacts
  /** Returns the facts of the path's target, following symlinks; undefined if nothing exists there. */
  find(path: string): FileFacts | undefined
  /** Returns the facts of the path itself, without following a symlink; undefined if nothing exists there. */
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

/** The error of a failed system call: Node's errors have this shape. `code` is a POSIX code: ENOENT, ENOSPC, … */
export type SystemError = Error & { code: string; path?: string; syscall?: string }

/** Absolute paths. */
export type Folders = { current: string; home: string; config: string; data: string; cache: string; temporary: string }

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The part of a standard stream that commands need. */
export type Output = {
  isTerminal: boolean
  /** Characters in a line; 80 if unknown. */
  columns: number
  /** Lines of the screen; 24 if unknown. */
  rows: number
  colors: boolean
  /** Whether the terminal shows links (OSC 8); absent: it does not. */
  links?: boolean
  /**
   * Resolves when the stream accepts more. After the reader has closed the stream, it also resolves: `closed` is true,
   * and the text is dropped.
   */
  write(text: string | Uint8Array): Promise<void>
  closed: boolean
}

export type Terminal = {
  input: { isTerminal: boolean; read(): AsyncIterable<Uint8Array> }
  output: Output
  errors: Output
  /**
   * Identifies the session of this terminal: the same for every command of one shell, and different for any other one.
   * Absent without a terminal, or if the system cannot tell. Letters, digits and dashes.
   */
  session?: string | undefined
  /** Whether text on stderr can be overwritten: false if stderr is not a terminal, or is a dumb one. */
  drawsOver: boolean
  /** Asks a yes/no question on stderr. Loads its package at first use. Rejects with a `cancelled` fault on Ctrl-C. */
  confirm(question: string, otherwise: boolean): Promise<boolean>
  /** Asks for a line on stderr in the same way; for a secret, without echoing the input. */
  askLine(question: string): Promise<string>
  askSecret(question: string): Promise<string>
  /** Runs an interaction by keys on stderr until it ends. Loads its package at first use. Rejects in the same way. */
  interact(interaction: Interaction): Promise<void>
  /** Starts a progress line on stderr that is updated in place. Loads its package at first use. */
  progress(text: string): Promise<Progress>
  /** Aborted by SIGINT or SIGTERM; `reason` is the signal's name. */
  interrupted: AbortSignal
}

export type Progress = { update(text: string): void; stop(): void }

/** Columns and lines of a terminal. */
export type ScreenSize = { columns: number; rows: number }

/** A key press: the key's name (`up`, `return`, `a`), and the text that it types, if any. */
export type Key = { name: string; text: string; ctrl: boolean }

/**
 * Lines without line ends, safe to write. The cursor is at the end of the first one. `busy`: the display is animated.
 */
export type Drawn = { line: string; below: readonly string[]; busy: boolean }

/** An interaction by keys. It keeps its own state and is redrawn after each key. */
export type Interaction = {
  /** Starts the interaction. It calls `onChange` for changes that no key caused. */
  start(onChange: () => void): void
  /**
   * Returns the current display, smaller than the terminal; undefined when it has ended. `beat` increases several times
   * a second while it is busy.
   */
  draw(size: ScreenSize, beat: number): Drawn | undefined
  press(key: Key, size: ScreenSize): void
}

export type Assets = {
  /** The bytes of SQLite as WebAssembly. */
  sqliteWasm(): Uint8Array
  /** The bytes of related terms (see `src/search/related/related-terms-layout.ts`). */
  relatedTerms(): Uint8Array
  /** The bytes of word vectors (see `src/search/related/word-vectors.ts`). */
  wordVectors(): Uint8Array
}

/** Other threads of this machine. */
export type Threads = {
  /** How many can run besides this one, each on its own processor. */
  spare: number
  /** Reads a part of a snapshot file in another thread. The result is transferred, not copied. */
  survey(task: SurveyTask): Promise<unknown>
}

/** The lines of the file at `path` from byte `from`, the start of a line, to byte `to`, the end of a line. */
export type SurveyTask = { path: string; from: number; to: number }

/**
 * The fetch port: sends requests, and is also the type of the server. It uses platform types only, none of a package.
 */
export type Fetch = (request: Request) => Promise<Response>

/**
 * The same as plain values, because the platform's classes take longer to load than a short command to run. A
 * `Response` is also a valid reply.
 */
export type Exchange = (request: PlainRequest) => Promise<PlainReply>

export type PlainRequest = {
  url: string
  method: string
  headers: Readonly<Record<string, string>>
  /** A stream is read once, while it is sent. */
  body?: Uint8Array | AsyncIterable<Uint8Array> | undefined
  signal?: AbortSignal | undefined
}

/** Redirects are not followed. The body is undefined or null if a reply with its status has none. */
export type PlainReply = {
  status: number
  headers: { get(name: string): string | null }
  body?: AsyncIterable<Uint8Array> | null
}

/**
 * Our own programs that run in separate threads; `documents` runs in child processes, because its input is untrusted.
 */
export type ThreadProgram = 'engine' | 'storage' | 'documents'

/**
 * A thread that answers calls, several at a time. Arguments are copied, except for buffers in `hand`, which are
 * transferred. A Fault in the thread is thrown as a Fault here.
 */
export type Thread = {
  call(name: string, argument: unknown, hand?: readonly ArrayBuffer[]): Promise<unknown>
  /** Ends the thread. Pending calls reject with a Fault `unavailable`. */
  end(): Promise<void>
}

/**
 * The other end of a thread: a function for each call. Buffers that it pushes to `hand` are transferred with the
 * result, so nothing else may use their memory.
 */
export type ThreadHandlers = Readonly<Record<string, (argument: never, hand: ArrayBuffer[]) => unknown>>

/**
 * The program of a thread: creates its handlers from the data passed at its start. If it throws, every call rejects
 * with that error.
 */
export type ThreadMain = (data: never) => ThreadHandlers | Promise<ThreadHandlers>

/** Starts a thread; `data` is passed to its program. */
export type StartThread = (program: ThreadProgram, data: unknown) => Thread

/**
 * Log of events for the person who runs the server. Never contains a secret: the implementation redacts certain fields.
 */
export type Log = {
  /** A problem that requires attention. */
  error(fields: LogFields, message: string): void
  /** A change of state. */
  info(fields: LogFields, message: string): void
  debug(fields: LogFields, message: string): void
}

export type LogFields = Readonly<Record<string, unknown>>

export type Processes = {
  /** Runs this program with other arguments, in a process in which every use of the network throws. */
  runSelfOffline(
    args: string[],
    environment: Record<string, string>
  ): Promise<{ exitCode: number; stdout: string; stderr: string }>
  /**
   * Runs any program by its name and arguments, without a shell and without input. It is ended after `waitMs`, when its
   * output exceeds 1 MiB, or when the signal is aborted; `exitCode` is then undefined. Its stderr is discarded. Rejects
   * with a `SystemError` if it cannot be started.
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

/** The browser of the user of this machine. */
export type Browser = {
  /**
   * Opens an http or https address. Resolves with undefined, or with the reason of a failure as half a sentence; if the
   * call starts the browser itself, only when that is closed. Loads its package at first use.
   */
  open(address: string): Promise<string | undefined>
}

/** The user's settings file: flat JSON with string values. The package that writes it is loaded at the first write. */
export type Preferences = {
  path: string
  read(): Record<string, unknown>
  write(key: string, value: string): Promise<void>
  remove(key: string): Promise<void>
}

/** Values of a command's flags, by the key of the setting, as written. */
export type ServerFlags = Readonly<Record<string, string | undefined>>

/** Starts this program in its own process group. */
export type DetachedStart = {
  args: readonly string[]
  /** Added to the variables of this process, for values that other users must not see in a list of processes. */
  environment: Readonly<Record<string, string>>
  /** Its output is appended to this file. */
  logFile: string
  /** It stops as soon as this process releases it or ends, for whatever reason. */
  tied?: true
}

export type DetachedProcess = {
  pid: number
  /** The first line on its stdout, written when it is ready; undefined if it ended before. */
  firstLine: Promise<string | undefined>
  /** Resolves with its exit code or the name of the signal when it ends. */
  ended: Promise<number | string>
  /** Releases it: this process may end first. */
  release(): void
}

/** Facts about the machine, for troubleshooting; `nodeVersion` is as in `20.19.0`. */
export type Machine = {
  nodeVersion: string
  /** Returns the number of bytes available to this user at `path`; undefined if the system does not provide it. */
  freeBytes(path: string): number | undefined
  /** Checks whether this user may write to a folder or file. */
  mayWrite(path: string): boolean
  /** Checks whether a folder can be created in this writable one. Leaves nothing behind. */
  takesFolders(folder: string): boolean
}
