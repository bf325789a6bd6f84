import { join, sep } from 'node:path'
import { Fault } from '../../contract/faults.ts'
import type { World } from '../../ports.ts'
import { readFileBytes, utf8Text } from '../input/read-file-bytes.ts'

/** What is kept for one origin. */
export type Credential = {
  key: string
  /** What the key is called on its server, if that is known. */
  name?: string | undefined
  /** When it was put here. */
  saved_at: string
}

type CredentialsFile = { path: string; byOrigin: ReadonlyMap<string, Credential> }

/** No file of credentials is larger. In bytes. */
const CREDENTIALS_BYTES_MAX = 1 << 20

/** Where keys are kept, by the origin of their server. */
export function credentialsPath({ folders }: Pick<World, 'folders'>): string {
  return join(folders.config, 'credentials.json')
}

/**
 * All that is kept; nothing where there is no file. Throws a fault naming the file where others may read it or it is
 * damaged: a key that others may have is not used quietly.
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

/** Permissions of others. Windows has none of this kind: there every file looks as if everybody may read it. */
const OF_OTHERS = 0o077

function checkPrivate({ files }: Pick<World, 'files'>, path: string): void {
  const mode = files.find(path)?.mode ?? 0
  if (sep === '\\' || (mode & OF_OTHERS) === 0) return
  throw new Fault('invalid_input', `credentials file ${path}: others may read it (mode ${mode.toString(8)})`, {
    hint: `chmod 600 '${path}', and revoke its keys if somebody may have read them`
  })
}

function parseFile(path: string, bytes: Uint8Array): object {
  let value: unknown
  try {
    value = JSON.parse(utf8Text(bytes, path))
  } catch (error) {
    // The text of a parser's error would show a part of the file.
    if (!(error instanceof SyntaxError)) throw error
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw makeDamageFault(path, 'it holds no JSON object')
}

function parseCredential(path: string, [origin, value]: [string, unknown]): [string, Credential] {
  const { key, name, saved_at } = (value ?? {}) as Record<string, unknown>
  if (typeof key !== 'string' || !isKey(key)) throw makeDamageFault(path, `'${origin}' has no key that can be sent`)
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
  // What is removed may be the only copy of a key that nobody ever saw.
  return new Fault('invalid_input', `credentials file ${path}: ${why}`, {
    hint: `mend ${path}, or move it aside and take the keys out of it: memctl auth login keeps each anew`
  })
}

/** Whether a text can be sent as a key: printable, without spaces, of a size that a header may have. */
function isKey(text: string): boolean {
  return /^[\x21-\x7e]{1,512}$/.test(text)
}

/** A key as it was given, line end and spaces around it left out. Throws a usage fault that says where, never what. */
export function keyFrom(text: string, where: string): string {
  const key = text.trim()
  if (isKey(key)) return key
  throw new Fault('usage', `${where} ${key === '' ? 'gives no key' : 'gives something that is no key'}`, {
    hint: 'a key is one word, as memctl keys create prints it'
  })
}
