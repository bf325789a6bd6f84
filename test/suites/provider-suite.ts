import type { Provider } from '../../server/providers/port/provider.ts'
import type { SandboxAccount, SandboxProvider } from '../../server/sandbox/core/sandbox-provider.ts'
import type { DocumentReader } from '../../src/documents/port/document-reader.ts'
import type { Fetch } from '../../src/ports.ts'
import { contentTests } from './provider-suite-content.ts'
import { faultTests } from './provider-suite-faults.ts'
import type { SuiteWorld } from './provider-suite-world.ts'

/**
 * The options of the adapter suite, which tests the contract of every adapter against its sandbox provider. An
 * adapter's own test consists of a few lines that run the suite, and of its specific tests:
 *
 * `providerSuite({ provider, sandboxProvider, account, selection, holds, edits, listing })`
 */
export type ProviderSuiteOptions = {
  provider: Provider
  sandboxProvider: SandboxProvider
  /** Ids of the account in use, and of one with hostile names and texts. */
  account: string
  hostile?: string
  /** Returns the selection in an account; empty if the provider has none. */
  selection(account: SandboxAccount): readonly string[]
  /**
   * Returns the expected result of syncing the selection, computed from the sandbox provider's content: ids of items,
   * each with a piece of its text, or undefined if it has none (an item that is skipped or cannot be read).
   */
  holds(account: SandboxAccount, selection: readonly string[]): ReadonlyMap<string, string | undefined>
  /** Changes of content in order. The sync must agree after each. */
  edits: readonly SuiteEdit[]
  /**
   * The operation that pages `changes`, where faults are requested; and that of `read`, if pages do not contain
   * contents.
   */
  listing: string
  reading?: string
  /** Reduces the page size of a call to one or two entries. */
  smallPages?(request: Request): Request
  /** Compares requests with the published description; absent if that is missing. */
  described?: ((fetch: Fetch, more: { apiUrl: string; complaints: string[] }) => Fetch) | undefined
  documents?(): DocumentReader
}

/** `make` requests one or several changes with `world.change`. */
export type SuiteEdit = { name: string; make(world: SuiteWorld): Promise<unknown> }

export function providerSuite(options: ProviderSuiteOptions): void {
  contentTests(options)
  faultTests(options)
}
