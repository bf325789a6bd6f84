import { join, sep } from 'node:path'
import { Fault } from '../../contract/faults.ts'
import type { World } from '../../ports.ts'
import { readFileBytes, utf8Text } from '../input/read-file-bytes.ts'

/** A key stored for one origin. */
export type Credential = {
  key: string
  /** The name of the key on its server, if known. */
  name?: string | undefined
  /** Time of storing. */
  saved_at: string
}

type CredentialsFile = { path: string; byOrigin: ReadonlyMap<string, Credential> }

/** Maximum size of the credentials file in bytes. */
const CREDENTIALS_BYTES_MAX = 1 << 20

/** Returns the path of the credentials file. */
export function credentialsPath({ folders }: Pick<World, 'folders'>): string {
  return join(folders.config, 'credentials.json')
}

/**
 * Reads all stored keys; none if there is no file. Throws a fault if the file is damaged or readable by other users, so that a
 * possibly leaked key is not used silently.
 */
export function readCredentials(world: Pick<World, 'files' | 'folders'>): CredentialsFile {
  const path = credentialsPath(world)
  const bytes = readFileBytes(world.files, path, CREDENTIALS_BYTES_MAX)
  if (bytes === undefined) return { path, byOrigin: new Map() }
  checkPrivate(world, path)
  return {
    path,
    byOrigin: new Map(Object.entries(parseFile(path, bytes)).map((entry) => parseCredential(path, entry)))
  }
}

/** Permission bits of other users. Windows does not use them and reports every file as readable by all. */
const OF_OTHERS = 0o077

function checkPrivate({ files }: Pick<World, 'files'>, path: string): void {
  const mode = files.find(path)?.mode ?? 0
  if (sep === '\\' || (mode & OF_OTHERS) === 0) return
  throw new Fault('invalid_input', `credentials file ${path}: other users can read it (mode ${mode.toString(8)})`, {
    hint: `run chmod 600 '${path}', and revoke its keys if other users may have read them`
  })
}

function parseFile(path: string, bytes: Uint8Array): object {
  let value: unknown
  try {
    value = JSON.parse(utf8Text(bytes, path))
  } catch (error) {
    // The parser's message would reveal a part of the file.
    if (!(error instanceof SyntaxError)) throw error
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw makeDamageFault(path, 'expected a JSON object')
}

function parseCredential(path: string, [origin, value]: [string, unknown]): [string, Credential] {
  const { key, name, saved_at } = (value ?? {}) as Record<string, unknown>
  if (typeof key !== 'string' || !isKey(key)) throw makeDamageFault(path, `the entry for '${origin}' has no valid key`)
  return [
    origin,
    {
      key,
      ...(typeof name === 'string' ? { name } : {}),
      saved_at: typeof saved_at === 'string' ? saved_at : ''
    }
  ]
}

function makeDamageFault(path: string, why: string): Fault {
  // The hint does not suggest deleting the file, which may hold the only copy of a generated key.
  return new Fault('invalid_input', `credentials file ${path}: ${why}`, {
    hint: `repair ${path}, or move it aside and store its keys again with memctl auth login`
  })
}

/** Checks whether a header can contain the key: printable ASCII without spaces, of limited length. */
function isKey(text: string): boolean {
  return /^[\x21-\x7e]{1,512}$/.test(text)
}

/** Parses a key, without surrounding white space. The usage fault names the source and does not reveal the text. */
export function keyFrom(text: string, where: string): string {
  const key = text.trim()
  if (isKey(key)) return key
  throw new Fault('usage', key === '' ? `${where} is empty: expected a key` : `${where} does not contain a valid key`, {
    hint: 'use a key as printed by memctl keys create: one word of up to 512 ASCII characters'
  })
}
