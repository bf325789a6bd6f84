import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { parse } from 'yaml'

/** A recorded call to the real service with its reply. */
export type Recording = { file: string; method: string; path: string; status: number; reply: Record<string, unknown> }

const FOLDER = '../shared/fixtures/notion-recordings'

/** Returns recorded calls with JSON replies, or undefined if the shared fixtures are missing. */
export function recordings(): Recording[] | undefined {
  if (!existsSync(FOLDER)) return undefined
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.yaml'))
    .flatMap((file) => {
      const { interactions } = parse(readFileSync(`${FOLDER}/${file}`, 'utf8')) as { interactions: Interaction[] }
      return interactions.flatMap((one) => recordingOf(file, one))
    })
}

type Interaction = {
  request: { method: string; uri: string }
  response: { status: { code: number }; body: { string: string } }
}

function recordingOf(file: string, { request, response }: Interaction): Recording[] {
  const { host, pathname } = new URL(request.uri)
  if (host !== 'api.notion.com') return []
  const reply = JSON.parse(response.body.string) as Record<string, unknown>
  return [{ file, method: request.method, path: pathname, status: response.status.code, reply }]
}

/** Finds objects anywhere in a value, with their kinds such as `page`, `data_source`, `user/bot`, `block/paragraph`. */
export function objectsIn(value: unknown): { kind: string; object: Record<string, unknown> }[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn)
  if (typeof value !== 'object' || value === null) return []
  const object = value as Record<string, unknown>
  const below = Object.values(object).flatMap(objectsIn)
  if (typeof object.object !== 'string') return below
  const typed = object.object === 'user' || object.object === 'block' || object.object === 'list'
  const kind = typed ? `${object.object}/${String(object.type)}` : object.object
  return [{ kind, object }, ...below]
}

/** Describes the type of a value, including members of objects and entries of lists. */
export function shapeOf(value: unknown): string[] {
  return shapes(value, '')
}

function shapes(value: unknown, at: string): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => shapes(one, `${at}[]`))
  if (typeof value !== 'object' || value === null) return [`${at}: ${value === null ? 'null' : typeof value}`]
  return Object.entries(value).flatMap(([name, one]) => shapes(one, `${at}.${name}`))
}
