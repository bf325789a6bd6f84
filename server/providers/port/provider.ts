import type { ProviderId } from '../../../src/contract/provider-ids.ts'
import type { SelectionKey } from '../../../src/contract/selection-limits.ts'
import type { TextItem } from '../../../src/documents/chunking/draft-memories.ts'
import type { DocumentReader } from '../../../src/documents/port/document-reader.ts'
import type { Clock, Fetch, Log } from '../../../src/ports.ts'

/**
 * A provider of items. Shared code asks what a provider can do, never which one it is. Every method rejects with a
 * `ProviderFailure` or the reason of the call's signal. A provider stores nothing itself.
 */
export type Provider = {
  facts: ProviderFacts
  /** Identifies the account of the credentials. */
  identify(call: ProviderCall): Promise<Account>
  /**
   * Returns the next page of what changed since `from.cursor`; without a cursor, of everything. Changes during paging
   * are not missed. Repeating a page is harmless.
   */
  changes(call: SyncCall, from: PageFrom): Promise<Page>
  /** Returns the next page of a listing of everything in the selection, for a comparison with the known items. */
  list(call: SyncCall, from: PageFrom): Promise<Page>
  /** Reads the current content of an item. Rejects with `item_gone` if the provider reports that it is gone. */
  read(call: SyncCall, itemId: string): Promise<ItemContent>
  /**
   * Looks up one item by its id, because a listing lacks it or it seems to have left the selection. `place` is where it
   * was last seen. A failure says nothing about the item. Without this method, only a second listing confirms a
   * deletion.
   */
  lookUp?(call: SyncCall, item: { id: string; place?: string }, selection: readonly string[]): Promise<LookedUp>
  /** Lists the folders below `parentId`, or those at the top level, in pages of the provider. */
  folders?(call: ProviderCall, parentId: string | undefined): AsyncIterable<readonly FolderEntry[]>
  /** Lists the channels that the account can read, in pages of the provider. */
  channels?(call: ProviderCall): AsyncIterable<readonly ChannelEntry[]>
  /** Returns the name of a folder or channel, or undefined if the account has none with this id. */
  findPlaceName?(call: ProviderCall, id: string): Promise<string | undefined>
}

/** Facts about a provider that do not depend on the account, as plain data. */
export type ProviderFacts = {
  id: ProviderId
  /** The name of the real service, such as `Google Drive`. */
  service: string
  oauth: OAuthFacts
  /** The base URL of its API, without a slash at the end. The instance's admin may set another one. */
  apiUrl: string
  /** For two-phase providers: what the user selects after connecting. */
  selection?: SelectionKey
  /** The scope of a 429: the path that was called, or all calls of the account. */
  paceBy: 'path' | 'account'
  /** Whether a complete listing contains everything, so that an item missing from two listings is gone. */
  listsAll: boolean
  /**
   * Set if listings are incomplete: a missing item is looked up by its id, and is gone only if the provider confirms
   * it.
   */
  asksUnlisted?: true
  /**
   * Set if items have attached items. Pages do not list those: reading an item returns them (see
   * `ItemContent.attached`), and they exist as long as it does.
   */
  attaches?: true
}

/**
 * How consent and tokens of a provider differ from RFC 6749 and RFC 7636. A comment names the documentation of each
 * fact.
 */
export type OAuthFacts = {
  authorizeUrl: string
  tokenUrl: string
  /** Absent if a grant cannot be revoked by a call. */
  revokeUrl?: string
  /** The required value of `iss` in a callback, if there is one (RFC 9207). */
  issuer?: string
  scopes: readonly string[]
  /** Scopes that are required. If they are not granted, the attempt fails with a message. */
  neededScopes: readonly string[]
  /** The name of the parameter for scopes, and the separator between them. */
  scopeParameter: 'scope' | 'user_scope'
  scopeSeparator: ' ' | ','
  /** Whether PKCE with S256 is supported. */
  pkce: boolean
  /** Further parameters of the authorization URL. */
  authorizeParameters: Readonly<Record<string, string>>
  clientAuthentication: 'basic' | 'post'
  /** The format of parameters for the token endpoint. */
  tokenRequest: 'form' | 'json'
  /** The member of a token reply that has the tokens, if they are not at the top level. */
  tokensUnder?: string
  /** Whether the token endpoint refuses with status 200 and `ok: false`. */
  refusesWith200: boolean
  /** Values of `error` beside `ok: false` for an access token that is invalid but may be renewed. */
  tokenRefusals?: readonly string[]
  /**
   * How a grant is revoked: RFC 7009, a call with the token itself as bearer, or JSON with the client's credentials.
   */
  revocation: 'rfc7009' | 'bearer' | 'client_json'
}

export type Account = {
  /** Never changes, and is unique at this provider. */
  id: string
  /** A name that the user recognizes. */
  name: string
}

export type ProviderCall = {
  /** Adds the credentials to a request, and renews them if necessary. Does not interpret the provider's replies. */
  fetch: Fetch
  /** Without a slash at the end. */
  apiUrl: string
  clock: Clock
  log: Log
  signal: AbortSignal
}

export type SyncCall = ProviderCall & { documents: DocumentReader; ledger: Ledger; reads?: ReadOptions }

/** What is read besides the items themselves, as the admin of the server chose. Without it, nothing is. */
export type ReadOptions = {
  /** The largest attachment that is read, in bytes; undefined if none is. */
  attachmentBytesMax: number | undefined
  /** Whether comments on items are read. */
  comments: boolean
  /** Whether comments on parts of an item are read where each part costs a request. */
  innerComments?: boolean
}

/** Values that an adapter stores beside its cursor. Changes by a page are written together with the page. */
export type Ledger = {
  get(key: string): Promise<string | undefined>
  /** Returns all entries whose key begins with `prefix`. */
  entries(prefix: string): Promise<ReadonlyMap<string, string>>
}

export type PageFrom = {
  /** Ids of folders or channels; empty if the provider has no selection. */
  selection: readonly string[]
  /** The cursor of the previous page: at most 64 KiB of text that only the adapter interprets. */
  cursor: string | undefined
}

export type Page = {
  seen: readonly SeenItem[]
  /** Ids of items that the provider reports as gone, or that left the selection. */
  gone: readonly string[]
  /**
   * Ids of items that left the selection as far as the adapter knows. A listing may have been incomplete, so known
   * items are looked up before they are deleted.
   */
  left?: readonly string[]
  /**
   * Selected places that cannot be read, and why, as half a sentence. Once one can be read again, its id is in `gone`.
   */
  leftOut?: readonly { id: string; why: string }[]
  /** Names of selected places that the page learned. */
  named?: readonly { id: string; name: string }[]
  /** Places (see `SeenItem.place`) whose items all left the selection. */
  emptied?: readonly string[]
  /**
   * Ranges of ids, in text order, that this page lists completely. Known items in them that were not seen are looked
   * up.
   */
  covered?: readonly { from: string; to: string }[]
  /** Changes of the ledger; `undefined` removes a key. */
  ledger?: readonly (readonly [key: string, value: string | undefined])[]
  /** Where the next page begins: immediately if `more`, else at the next sync. */
  cursor: string
  more: boolean
}

/** An item in a page. */
export type SeenItem = {
  id: string
  /** Changes if the content may have changed. Absent if the provider has no versions. */
  version?: string
  /** The folder, channel or page that contains it. */
  place?: string
  /** Its title, if the page has one. Shown if the item is skipped or cannot be read. */
  title?: string
  /** The content, if the page includes it; else the item is read by its id. */
  content?: ItemContent
  /** Why it is not synced: half a sentence, such as `a video has no text`. */
  skipped?: string
}

/**
 * The result of looking up an item: its current state; `absent` if it is gone, in the trash, or outside the selection;
 * `unknown` if that cannot be determined.
 */
export type LookedUp = SeenItem | 'absent' | 'unknown'

/** `url` is where the user can open it at the provider. */
export type ItemContent = TextItem & {
  version?: string
  /**
   * Why the content is incomplete: a sentence without a full stop, such as `only its beginning is read: it has more
   * pages than are taken`.
   */
  cut?: string
  /** The attached items, such as the attachments of a mail. Their place is the id of this item. */
  attached?: readonly SeenItem[]
}

export type FolderEntry = { id: string; name: string; hasChildren: boolean }

export type ChannelEntry = { id: string; name: string; isPrivate: boolean; members: number }
