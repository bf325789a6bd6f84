import type { Client } from '../../client/client.ts'
import type { ClientSettings } from '../../client/create-client.ts'
import type { Fault } from '../../contract/faults.ts'
import type { Device, DiffReport, Form, MergeOptions, MergeReport, ReceiveReport } from '../../device/device.ts'
import type { ExistingExport } from '../../device/existing-export.ts'
import type { ReceiveOptions } from '../../device/receive-snapshot.ts'
import type { SnapshotPart } from '../../device/split-snapshot.ts'
import type { AccountReport, KindCounts } from '../../ingest/account-report.ts'
import type { ConversionReport, IngestOptions, IngestReport } from '../../ingest/ingest.ts'
import type { ItemKind } from '../../ingest/port/losses.ts'
import type { Machine, World } from '../../ports.ts'
import type { ServerHost } from './server-host.ts'

/** The modules that commands use. Each is loaded by the first command that needs it. */
export type LazyModules = {
  device(): Promise<DeviceModule>
  client(): Promise<ClientModule>
  ingest(): Promise<IngestModule>
  lock(): Promise<WithLock>
  server(): Promise<ServerHost>
  machine(): Promise<Machine>
  mcp(): Promise<McpModule>
}

/** The functions that serve memories to an assistant. */
export type McpModule = {
  /** Serves over stdin and stdout. Resolves when the client has gone. */
  serve(device: Device, options: McpOptions): Promise<void>
  /** Serves a collection of a server in the same way: every request is forwarded to its endpoint for assistants. */
  serveCollection(client: Pick<Client, 'send'>, options: CollectionOptions): Promise<void>
  /** The program and script that a client starts, as absolute paths. */
  command: readonly [program: string, script: string]
  /** The folder in which applications of this system keep their settings. */
  applicationFolder: string
}

/** `maxChars` is the length of an answer in characters. */
type ServingOptions = {
  version: string
  maxChars: number
  structured: boolean
  limits: { write: boolean; forget: boolean; onlyOrigins: readonly string[]; excludedOrigins: readonly string[] }
  interrupted: AbortSignal
}

/** `cacheFolder` is the folder of cached indexes. */
export type McpOptions = ServingOptions & { cacheFolder: string }

export type CollectionOptions = ServingOptions & { collectionId: string }

/** The functions of the device runtime that commands use. */
export type DeviceModule = {
  /** Creates a device without opening the file: the first method that reads it reports a missing file. */
  open(world: DeviceModuleWorld, path: string, options: LockOptions): Device
  /** Creates an empty snapshot. Throws an `exists` fault if the path is in use. */
  create(world: DeviceModuleWorld, path: string, options: { format?: Form }): Promise<{ path: string; id: string }>
  diff(world: DeviceModuleWorld, a: string, b: string): DiffReport | Promise<DiffReport>
  merge(world: DeviceModuleWorld, options: MergeOptions & LockOptions & { signal?: AbortSignal }): Promise<MergeReport>
  /** Receives an export and writes it to the output, completely or not at all. */
  receive(world: DeviceModuleWorld, options: ReceiveOptions & LockOptions): Promise<ReceiveReport>
  /** Opens an earlier export of a collection, which changes complete; undefined if the file is not one. */
  openExistingExport(
    world: DeviceModuleWorld,
    path: string,
    options: { collectionId: string; signal?: AbortSignal }
  ): Promise<ExistingExport | undefined>
  /** Splits a whole snapshot file into parts of at most `bytesMax` bytes. Each part is a valid snapshot by itself. */
  parts(world: DeviceModuleWorld, path: string, bytesMax: number): Iterable<SnapshotPart>
  /** Returns the process that holds the lock of the file at a real path, or undefined if the file is not locked. */
  lockHolder(world: Pick<World, 'files' | 'self'>, path: string): LockHolder | undefined
  /** Removes the index of the snapshot at a path from the cache. */
  dropIndex(world: DeviceModuleWorld, path: string): void
  /**
   * Parses JSON that all parsers interpret in the same way. Rejects duplicate keys, huge numbers and deep nesting with
   * a reason, which is the end of a sentence.
   */
  parseJson(text: string): { value: unknown } | { fault: string }
}

/**
 * `gone`: the process has ended, and the next one takes the lock over. `unknown`: this machine cannot find out whether
 * the process is running.
 */
export type LockHolder = { host: string; pid: string; state: 'runs' | 'gone' | 'unknown' }

/** The functions of the client that commands use. */
export type ClientModule = { createClient(settings: ClientSettings): Client }

/** The functions that commands use to import files. */
export type IngestModule = {
  /** Opens the input and detects its format, without converting it. */
  check(world: IngestModuleWorld, input: IngestInput, options: IngestOptions): Promise<void>
  /** Converts the input and stores it. */
  ingest(
    parts: { world: IngestModuleWorld; device: Device },
    input: IngestInput,
    options: IngestOptions
  ): Promise<IngestReport>
  /** Imports the file or folder at a path whenever it changes, and yields the first report and each one with changes. */
  watch(
    parts: { world: IngestModuleWorld; device: Device },
    path: string,
    options: IngestOptions & { signal: AbortSignal; onFault(fault: Fault): Promise<void> }
  ): AsyncIterable<IngestReport>
  /** Converts the input to the lines of a batch. */
  convert(
    world: IngestModuleWorld,
    input: IngestInput,
    options: IngestOptions & { write(chunk: string): void | Promise<void> }
  ): Promise<ConversionReport>
  /** Describes what was taken and left out, in one line. */
  describe(report: AccountReport): string
  /** Describes how many items of a kind were taken, as in `1,204 of 1,377 messages`. */
  describeKind(kind: ItemKind, counts: KindCounts): string
}

/** A path, or the content of a file as a stream. */
export type IngestInput = { path: string } | { stream: AsyncIterable<Uint8Array> }

export type IngestModuleWorld = Pick<World, 'clock' | 'ids' | 'files' | 'folders' | 'watchPath'>

/** Runs `work` while this process alone holds the lock of the file at a path. The folder of the file must exist. */
export type WithLock = <Value>(
  world: LockModuleWorld,
  wanted: { path: string; signal?: AbortSignal },
  work: () => Value | Promise<Value>
) => Promise<Value>

export type LockModuleWorld = Pick<World, 'clock' | 'ids' | 'files' | 'self'>

/** Maximum time to wait for another writer, in milliseconds. */
export type LockOptions = { lockWaitMs: number }

export type DeviceModuleWorld = Pick<World, 'clock' | 'ids' | 'files' | 'self' | 'folders' | 'assets'>

/** Returns a function that calls `make` at most once, at its first call, and then always returns that value. */
export function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
