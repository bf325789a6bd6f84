import type { ProviderId } from '../../../src/contract/provider-ids.ts'
import type { SelectionKey } from '../../../src/contract/selection-limits.ts'
import type { TextItem } from '../../../src/documents/chunking/draft-memories.ts'
import type { DocumentReader } from '../../../src/documents/port/document-reader.ts'
import type { Clock, Fetch, Log } from '../../../src/ports.ts'

/**
 * One kind of source. Shared code asks what a provider can do, never which one it is. Every method rejects with a
 * `ProviderFailure`, or with the reason of the call's signal; a provider writes nothing anywhere.
 */
export type Provider = {
  facts: ProviderFacts
  /** Whose account the credentials are of. */
  identify(call: ProviderCall): Promise<Account>
  /**
   * The next page of what changed since `from.cursor`; without one, of everything, in such a way that what changes while
   * it is paged through is not missed. Repeating a page is harmless.
   */
  changes(call: SyncCall, from: PageFrom): Promise<Page>
  /** The next page of a listing of everything that the selection holds, for a comparison with what is known. */
  list(call: SyncCall, from: PageFrom): Promise<Page>
  /** What an item holds now. Rejects with `item_gone` where the provider says that it is no more. */
  read(call: SyncCall, itemId: string): Promise<ItemContent>
  /**
   * Asks for one item by its id, because a listing lacks it or it seems to have left the selection. `place` is where it was seen last.
   * A failure says nothing of the item. Without this method, only a second listing tells what is gone.
   */
  lookUp?(call: SyncCall, item: { id: string; place?: string }, selection: readonly string[]): Promise<LookedUp>
  /** Folders below `parentId`, or those at the top, page by page as the provider gives them. */
  folders?(call: ProviderCall, parentId: string | undefined): AsyncIterable<readonly FolderEntry[]>
  /** Channels that the account may read, likewise. */
  channels?(call: ProviderCall): AsyncIterable<readonly ChannelEntry[]>
  /** Whether the account has what is to be selected under this id. */
  hasPlace?(call: ProviderCall, id: string): Promise<boolean>
}

/** What is true of a provider whatever account is used: readable without reading code. */
export type ProviderFacts = {
  id: ProviderId
  /** What people call the service that is really meant, as in `Google Drive`. */
  service: string
  oauth: OAuthFacts
  /** What the paths of its calls are appended to, without a slash at the end. The instance's admin may set another. */
  apiUrl: string
  /** Of two-phase providers: what is chosen after connecting. */
  selection?: SelectionKey
  /** What a 429 is about: the path that was called, or all calls of the account. */
  paceBy: 'path' | 'account'
  /** Whether a listing that came to its end names everything there is, so that what two of them lack is gone. */
  listsAll: boolean
  /** Where it does not: what it lacks is looked up by its id, and is gone only where the provider says so. */
  asksUnlisted?: true
}

/** How consent and tokens differ from RFC 6749 and RFC 7636 with each provider. Each fact has its page in a comment. */
export type OAuthFacts = {
  authorizeUrl: string
  tokenUrl: string
  /** Absent where a grant cannot be revoked by a call. */
  revokeUrl?: string
  /** What `iss` of a callback has to be where there is one (RFC 9207). */
  issuer?: string
  scopes: readonly string[]
  /** Which of them nothing works without; where they are not granted, the attempt fails and says so. */
  neededScopes: readonly string[]
  /** Under which parameter scopes are asked for, and what stands between them. */
  scopeParameter: 'scope' | 'user_scope'
  scopeSeparator: ' ' | ','
  /** PKCE with S256 is supported. */
  pkce: boolean
  /** Further parameters of the consent's address. */
  authorizeParameters: Readonly<Record<string, string>>
  clientAuthentication: 'basic' | 'post'
  /** How the token endpoint takes its parameters. */
  tokenRequest: 'form' | 'json'
  /** The member of a token reply that holds the tokens, where they do not stand at its top. */
  tokensUnder?: string
  /** Refusals of the token endpoint come with status 200 and `ok: false`. */
  refusesWith200: boolean
  /** By which `error` beside `ok: false` such a provider's API says that an access token is no good, but a renewed one may be. */
  tokenRefusals?: readonly string[]
  /** How a grant is revoked: RFC 7009, a call with the token itself as bearer, or JSON with the client's credentials. */
  revocation: 'rfc7009' | 'bearer' | 'client_json'
}

export type Account = {
  /** Never changes and is nobody else's at this provider. */
  id: string
  /** What a person knows it by. */
  name: string
}

export type ProviderCall = {
  /** Puts the credentials on a request, and renews them where that is due. Knows nothing of the provider's replies. */
  fetch: Fetch
  /** Without a slash at the end. */
  apiUrl: string
  clock: Clock
  log: Log
  signal: AbortSignal
}

export type SyncCall = ProviderCall & { documents: DocumentReader; ledger: Ledger }

/** What an adapter keeps beside its cursor. What a page adds to it is written together with the page. */
export type Ledger = {
  get(key: string): Promise<string | undefined>
  /** All whose key begins with `prefix`. */
  entries(prefix: string): Promise<ReadonlyMap<string, string>>
}

export type PageFrom = {
  /** Ids of folders or channels; empty where the provider has no selection. */
  selection: readonly string[]
  /** What the page before gave, at most 64 KiB of text that means something to the adapter alone. */
  cursor: string | undefined
}

export type Page = {
  seen: readonly SeenItem[]
  /** Ids of items of which the provider says that they are gone, or that left the selection. */
  gone: readonly string[]
  /**
   * Ids of items that left the selection as far as the adapter knows its places, which a listing may not have told completely: those that
   * are known are looked up before they are deleted.
   */
  left?: readonly string[]
  /** What was selected and cannot be read, and why, in half a sentence. Where it can again, its id is among those that are gone. */
  leftOut?: readonly { id: string; why: string }[]
  /** Everything in these places (see `SeenItem.place`) left the selection. */
  emptied?: readonly string[]
  /** Ranges of ids, in the order of text, that this page lists as a whole: what is known in them and not seen is looked up. */
  covered?: readonly { from: string; to: string }[]
  /** Changes of the ledger; `undefined` takes a key out. */
  ledger?: readonly (readonly [key: string, value: string | undefined])[]
  /** Where the next page begins: at once if `more`, else at the next sync. */
  cursor: string
  more: boolean
}

/** An item as a page tells of it. */
export type SeenItem = {
  id: string
  /** Differs where the content may. Absent where the provider does not say. */
  version?: string
  /** The folder, channel or page it stands in. */
  place?: string
  /** What it is called, where the page says so: shown where it is skipped or cannot be read. */
  title?: string
  /** Where the page has it whole; else it is read by its id. */
  content?: ItemContent
  /** Why it is not taken in: half a sentence, as in `a video has no text`. */
  skipped?: string
}

/**
 * What a provider says of an item that was looked up: the item as it is now; `absent` where it is gone, in the trash, or outside the
 * selection; `unknown` where that cannot be said.
 */
export type LookedUp = SeenItem | 'absent' | 'unknown'

/** `url`: where a person sees it at the provider. */
export type ItemContent = TextItem & {
  version?: string
  /** That not all of it is here: a sentence without its end, as in `only its beginning is read: it has more pages than are taken`. */
  cut?: string
}

export type FolderEntry = { id: string; name: string; hasChildren: boolean }

export type ChannelEntry = { id: string; name: string; isPrivate: boolean; members: number }
