import { Buffer } from 'node:buffer'
import type { ProviderCall, SyncCall } from '../../server/providers/port/provider.ts'
import type { SandboxAccount } from '../../server/sandbox/core/sandbox-provider.ts'
import type { DocumentReader } from '../../src/documents/port/document-reader.ts'
import type { Fetch } from '../../src/ports.ts'
import type { ProviderSuiteOptions } from './provider-suite.ts'
import { type SmallSync, type SmallSyncOptions, smallSync } from './provider-suite-sync.ts'
import { type SandboxKit, sandboxKit } from './sandbox-provider-kit.ts'

/** A sandbox with one account in use, for one test. */
export type SuiteWorld = {
  kit: SandboxKit
  /** As the sandbox provider stores it, so that a test knows its content. */
  account: SandboxAccount
  selection: readonly string[]
  /** Deviations of requests from the description. */
  complaints: string[]
  call(more?: Partial<ProviderCall>): Omit<SyncCall, 'ledger'>
  sync(more?: Partial<SmallSyncOptions>): SmallSync
  /** Requests a fault of the sandbox provider. */
  order(fault: Record<string, unknown>): Promise<void>
  /** Changes the content after a minute. */
  change(name: string, input: unknown): Promise<Record<string, unknown>>
  /** Gets new tokens, as the authorized fetch does after a refusal. */
  signInAgain(): Promise<void>
  /** Returns the expected items: a piece of the text of each, or undefined if it has none. */
  holds(): ReadonlyMap<string, string | undefined>
  /** Wraps the fetch of later calls. */
  around(wrap: (fetch: Fetch) => Fetch): void
}

export async function suiteWorld(options: ProviderSuiteOptions, accountId = options.account): Promise<SuiteWorld> {
  const { sandboxProvider, provider } = options
  let accounts: SandboxAccount[] = []
  const kept = {
    ...sandboxProvider,
    accounts: (seed: Parameters<typeof sandboxProvider.accounts>[0]) => (accounts = sandboxProvider.accounts(seed))
  }
  const kit = sandboxKit([kept])
  const { apiUrl } = kit.sandbox.provider(sandboxProvider.id)
  const complaints: string[] = []
  let fetch = await signedIn()
  let wrap = (inner: Fetch): Fetch => inner
  const account = accounts.find(({ id }) => id === accountId)
  if (account === undefined) throw new Error(`there is no account ${accountId}`)
  const selection = options.selection(account)

  return {
    kit,
    account,
    selection,
    complaints,
    call,
    sync: (more) => smallSync({ provider, call: () => call(), selection, ...more }),
    order: async (fault) => void (await kit.control('POST', '/faults', { provider: sandboxProvider.id, ...fault })),
    change: async (name, input) => {
      await kit.clock.pass(60_000)
      const path = `/accounts/${sandboxProvider.id}/${accountId}/${name}`
      return (await kit.control('POST', path, input)) as Record<string, unknown>
    },
    signInAgain: async () => {
      fetch = await signedIn()
    },
    holds: () => options.holds(account, selection),
    around: (outer) => {
      wrap = outer
    }
  }

  async function signedIn(): Promise<Fetch> {
    const plain = await kit.fetchAs(sandboxProvider.id, { account: accountId })
    return options.described?.(plain, { apiUrl, complaints }) ?? plain
  }

  function call(more: Partial<ProviderCall> = {}): Omit<SyncCall, 'ledger'> {
    const log = { error: nothing, info: nothing, debug: nothing }
    const base = { apiUrl, clock: kit.clock, log, signal: new AbortController().signal }
    return { ...base, fetch: wrap(fetch), documents: options.documents?.() ?? plainDocuments, reads: READS, ...more }
  }
}

function nothing(): void {}

/** The defaults of the server. */
const READS = { attachmentBytesMax: 25 * 2 ** 20, comments: true }

/** Reads every file as plain text, which suffices if the sandbox provider's files are text. */
const plainDocuments: DocumentReader = {
  readText: async (bytes) => ({ text: Buffer.from(bytes).toString(), cut: false }),
  readMail: async () => {
    throw new Error('this suite was not told how to read mails')
  }
}
