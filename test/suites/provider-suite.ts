import type { Provider } from '../../server/providers/port/provider.ts'
import type { SandboxAccount, SandboxProvider } from '../../server/sandbox/core/sandbox-provider.ts'
import type { DocumentReader } from '../../src/documents/port/document-reader.ts'
import type { Fetch } from '../../src/ports.ts'
import { contentTests } from './provider-suite-content.ts'
import { faultTests } from './provider-suite-faults.ts'
import type { SuiteWorld } from './provider-suite-world.ts'

/**
 * What every adapter promises, against its sandbox provider. An adapter's own test is a dozen lines that run this, plus what is
 * truly its own:
 *
 *     providerSuite({ provider, sandboxProvider, account, selection, holds, edits, listing })
 */
export type ProviderSuiteOptions = {
  provider: Provider
  sandboxProvider: SandboxProvider
  /** Ids of the account that is used, and of one whose names and texts try to do harm. */
  account: string
  hostile?: string
  /** What is selected of an account; empty where the provider has no selection. */
  selection(account: SandboxAccount): readonly string[]
  /**
   * What a sync of the selection has to end with now, told by the sandbox provider's content alone: ids of items, each with a piece of its text,
   * or undefined where it has none (an item that is skipped or cannot be read).
   */
  holds(account: SandboxAccount, selection: readonly string[]): ReadonlyMap<string, string | undefined>
  /** Changes of content, one after the other, after each of which the sync has to agree again. */
  edits: readonly SuiteEdit[]
  /** The operation with which `changes` pages, from which faults are ordered; and that of `read`, where pages do not hold contents. */
  listing: string
  reading?: string
  /** A call that asks for pages of one or two entries in place of those that the adapter asks for. */
  smallPages?(request: Request): Request
  /** Holds traffic against the published description; absent where that is missing. */
  described?: ((fetch: Fetch, more: { apiUrl: string; complaints: string[] }) => Fetch) | undefined
  documents?(): DocumentReader
}

/** `make` orders one or several changes by `world.change`. */
export type SuiteEdit = { name: string; make(world: SuiteWorld): Promise<unknown> }

export function providerSuite(options: ProviderSuiteOptions): void {
  contentTests(options)
  faultTests(options)
}
