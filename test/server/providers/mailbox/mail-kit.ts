import { mailboxProvider } from '../../../../server/providers/mailbox/mailbox-provider.ts'
import type { Page, SyncCall } from '../../../../server/providers/port/provider.ts'
import { ProviderFailure } from '../../../../server/providers/port/provider-failure.ts'
import type { SandboxProvider } from '../../../../server/sandbox/core/sandbox-provider.ts'
import type { MailboxContent } from '../../../../server/sandbox/mailbox/content.ts'
import { mailboxSandbox } from '../../../../server/sandbox/mailbox/mailbox-sandbox.ts'
import { allParts, getHeader, parseMime } from '../../../../server/sandbox/mailbox/mime.ts'
import { readMail } from '../../../../src/documents/mail/read-mail.ts'
import type { Fetch, Log } from '../../../../src/ports.ts'
import { describedFetch, googleDescription } from '../../../suites/google-description.ts'
import { type SandboxKit, sandboxKit } from '../../../suites/sandbox-provider-kit.ts'

export type MailKit = SandboxKit & {
  call: SyncCall
  /** The current content of the sandbox mailbox. */
  content: MailboxContent
  change(name: string, input: unknown): Promise<Received>
  order(fault: Record<string, unknown>): Promise<unknown>
  /** The operations called so far. */
  calls: string[]
  /** Deviations of the requests from the published description; empty if the description is missing. */
  complaints: string[]
}

export type Received = { id: string; thread_id: string; labels: string[]; ids: string[] }

const SILENT: Log = { error: () => undefined, info: () => undefined, debug: () => undefined }

/** The accounts of the sandbox. */
export const ADA = 'ada.moreau@harbourlight.example'
export const BEN = 'ben.okafor@example.com'
export const CLIO = 'clio.jensen@example.org'

/** Connects the adapter to the sandbox with a token of an account. `around` sees all requests. */
export async function mailKit({ account = ADA, around = (fetch: Fetch) => fetch } = {}): Promise<MailKit> {
  let content: MailboxContent | undefined
  const sandboxProvider: SandboxProvider = {
    ...mailboxSandbox,
    accounts: (seed) => {
      const accounts = mailboxSandbox.accounts(seed)
      content = accounts.find(({ id }) => id === account)?.content as MailboxContent
      return accounts
    }
  }
  const kit = sandboxKit([sandboxProvider])
  const { apiUrl } = kit.sandbox.provider('mailbox')
  const complaints: string[] = []
  const description = googleDescription('gmail.v1.json')
  const inner = await kit.fetchAs('mailbox', { account })
  const calls: string[] = []
  const counted: Fetch = (request) => {
    calls.push(new URL(request.url).pathname.slice(new URL(apiUrl).pathname.length))
    return inner(request)
  }
  const fetch = description === undefined ? counted : describedFetch(counted, { description, apiUrl, complaints })
  if (content === undefined) throw new Error(`no account ${account}`)
  const call: SyncCall = {
    fetch: around(fetch),
    apiUrl,
    clock: kit.clock,
    log: SILENT,
    signal: new AbortController().signal,
    documents: { readText: never, readMail: readMail },
    ledger: { get: async () => undefined, entries: async () => new Map() }
  }
  return {
    ...kit,
    call,
    content,
    calls,
    complaints,
    change: async (name, input) =>
      (await kit.control('POST', `/accounts/mailbox/${account}/${name}`, input)) as Received,
    order: (fault) => kit.control('POST', '/faults', { provider: 'mailbox', ...fault })
  }
}

async function never(): Promise<never> {
  throw new Error('no file is read')
}

/** Returns the ids of a mailbox's wanted messages and of their attachments. */
export function heldIds(content: MailboxContent): string[] {
  return wantedIds(content).flatMap((id) => {
    const parts = allParts(parseMime(content.messages.get(id)?.raw ?? new Uint8Array()))
    const files = parts.filter(
      (part) => part.filename !== '' && !/^\s*inline/i.test(getHeader(part, 'content-disposition') ?? '')
    )
    return [id, ...files.map(({ partId }) => `${id}/${partId}`)]
  })
}

/** Returns the ids of a mailbox's wanted messages. */
export function wantedIds({ messages }: MailboxContent): string[] {
  const unwanted = ['TRASH', 'SPAM', 'DRAFT', 'CHAT']
  return [...messages.values()]
    .filter(({ labels }) => !labels.some((label) => unwanted.includes(label)))
    .map(({ id }) => id)
    .sort()
}

/** A simulated sync that follows pages and stores their results. */
export type Follower = { known: Set<string>; cursor: string | undefined }

/**
 * Pages through `changes` to the end. Retries failed pages, at most `patience` times in total. After a lost cursor it
 * starts again and removes what it does not see.
 */
export async function follow(
  call: SyncCall,
  follower: Follower,
  { patience = 0, each = async () => undefined }: { patience?: number; each?: (page: Page) => Promise<unknown> } = {}
): Promise<ProviderFailure[]> {
  const failures: ProviderFailure[] = []
  let kept = [follower.known]
  for (let pages = 0; pages < 1000; pages++) {
    const page = await pageOrFailure(call, follower.cursor)
    if (page instanceof ProviderFailure) {
      if (failures.push(page) > patience) throw page
      if (page.kind !== 'cursor_invalid') continue
      follower.cursor = undefined
      kept = [follower.known, new Set()]
      continue
    }
    for (const ids of kept) apply(page, ids)
    follower.cursor = page.cursor
    await each(page)
    if (page.more) continue
    follower.known = kept.at(-1) ?? follower.known
    return failures
  }
  throw new Error('it never ends')
}

async function pageOrFailure(call: SyncCall, cursor: string | undefined): Promise<Page | ProviderFailure> {
  try {
    return await mailboxProvider.changes(call, { selection: [], cursor })
  } catch (error) {
    if (error instanceof ProviderFailure) return error
    throw error
  }
}

function apply({ seen, gone }: Page, ids: Set<string>): void {
  for (const { id } of seen) ids.add(id)
  for (const id of gone) ids.delete(id)
}
