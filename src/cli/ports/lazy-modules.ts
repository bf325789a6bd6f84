import type { Client } from '../../client/client.ts'
import type { ClientSettings } from '../../client/create-client.ts'
import type { Device, DiffReport, Form, MergeOptions, MergeReport, ReceiveReport } from '../../device/device.ts'
import type { ReceiveOptions } from '../../device/receive-snapshot.ts'
import type { SnapshotPart } from '../../device/split-snapshot.ts'
import type { Machine, World } from '../../ports.ts'
import type { ServerHost } from './server-host.ts'

/** The modules that commands use. Each is loaded by the first command that needs it. */
export type LazyModules = {
  device(): Promise<DeviceModule>
  client(): Promise<ClientModule>
  lock(): Promise<WithLock>
  server(): Promise<ServerHost>
  machine(): Promise<Machine>
}

/** What the commands need of the device runtime. */
export type DeviceModule = {
  /** Opens nothing by itself: a missing file is a fault of the first method that reads it. */
  open(world: DeviceModuleWorld, path: string, options: LockOptions): Device
  /** An empty snapshot. An `exists` fault where something is there. */
  create(world: DeviceModuleWorld, path: string, options: { format?: Form }): Promise<{ path: string; id: string }>
  diff(world: DeviceModuleWorld, a: string, b: string): DiffReport | Promise<DiffReport>
  merge(world: DeviceModuleWorld, options: MergeOptions & LockOptions & { signal?: AbortSignal }): Promise<MergeReport>
  /** Takes an export in and makes it the file at its output, whole or not at all. */
  receive(world: DeviceModuleWorld, options: ReceiveOptions & LockOptions): Promise<ReceiveReport>
  /** A whole snapshot file in parts of so many bytes, each a snapshot that misses none of the others. */
  parts(world: DeviceModuleWorld, path: string, bytesMax: number): Iterable<SnapshotPart>
  /** Who holds the lock of the file at a path, which is its real one; undefined where nobody does. */
  lockHolder(world: Pick<World, 'files' | 'self'>, path: string): LockHolder | undefined
  /** Takes the index that is kept of the snapshot at a path out of the cache. */
  dropIndex(world: DeviceModuleWorld, path: string): void
  /** JSON that every reader understands alike. What it refuses (duplicate keys, huge numbers, deep nesting …) is a reason, the end of a sentence. */
  parseJson(text: string): { value: unknown } | { fault: string }
}

/** `gone`: the next one takes the lock over. `unknown`: nobody here can tell whether that process still runs. */
export type LockHolder = { host: string; pid: string; state: 'runs' | 'gone' | 'unknown' }

/** What the commands need of the client. */
export type ClientModule = { createClient(settings: ClientSettings): Client }

/** Does work while this process alone holds the lock of the file at a path, whose folder is there. */
export type WithLock = <Value>(
  world: LockModuleWorld,
  wanted: { path: string; signal?: AbortSignal },
  work: () => Value | Promise<Value>
) => Promise<Value>

export type LockModuleWorld = Pick<World, 'clock' | 'ids' | 'files' | 'self'>

/** How long to wait for another writer, in milliseconds. */
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
