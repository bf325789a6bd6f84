import type { KnownParameters } from '../core/sandbox-provider.ts'
import { type Mask, readMask } from './mask.ts'

/** The description of some operations of a Google API in its discovery document. */
export type PublishedApi = {
  /** The query parameters of each operation with their types. */
  operations: Readonly<Record<string, { query: ReadonlyMap<string, string>; reply: string | undefined }>>
  /** The members of each schema: undefined for a value, else the name of a schema, or `*` for any members. */
  schemas: Readonly<Record<string, ReadonlyMap<string, string | undefined>>>
}

type Written = {
  standard: string
  operations: Readonly<Record<string, { query: string; reply?: string }>>
  schemas: Readonly<Record<string, string>>
}

/**
 * Parses tables of words. `name` is a text or a value, `name:boolean` and `name:integer` have that type, and
 * `name:File` is a member described by the schema `File`. `standard` lists parameters of all operations.
 */
export function readPublished({ standard, operations, schemas }: Written): PublishedApi {
  const query = (words: string) =>
    new Map(wordsIn(`${standard} ${words}`).map(([name, type]): [string, string] => [name, type ?? 'string']))
  return {
    operations: mapValues(operations, (one) => ({ query: query(one.query), reply: one.reply })),
    schemas: mapValues(schemas, (words) => new Map(wordsIn(words)))
  }
}

/** Returns the names of the parameters of each operation. */
export function toKnownParameters({ operations }: PublishedApi): Readonly<Record<string, KnownParameters>> {
  return mapValues(operations, ({ query }) => ({ query: [...query.keys()] }))
}

/**
 * Returns the first invalid query parameter and its value: one of another type than published, or a field that the
 * reply does not have. Returns undefined if all are valid.
 */
export function wrongParameter(
  api: PublishedApi,
  operation: string,
  query: URLSearchParams
): { parameter: string; value: string } | undefined {
  const { query: known = new Map<string, string>(), reply } = api.operations[operation] ?? {}
  for (const [parameter, value] of query) {
    const type = known.get(parameter)
    const isWrong =
      (type === 'boolean' && !/^(true|false)$/.test(value)) || (type === 'integer' && !/^-?\d+$/.test(value))
    if (isWrong) return { parameter, value }
  }
  const fields = query.get('fields')
  const mask = fields === null || reply === undefined ? undefined : readMask(fields)
  const unknown = mask && reply && unknownField(api, mask, reply)
  return unknown === undefined || unknown === '' ? undefined : { parameter: 'fields', value: unknown }
}

function unknownField({ schemas }: PublishedApi, mask: Mask, schema: string): string | undefined {
  for (const [name, inner] of mask) {
    if (name === '*') continue
    const members = schemas[schema]
    if (members?.has(name) !== true) return name
    const below = members.get(name)
    if (inner === 'all' || below === '*') continue
    const unknown = below === undefined ? [...inner.keys()][0] : unknownField({ schemas, operations: {} }, inner, below)
    if (unknown !== undefined) return `${name}/${unknown}`
  }
  return undefined
}

function wordsIn(text: string): [name: string, type: string | undefined][] {
  return text.match(/\S+/g)?.map((word) => toWord(word)) ?? []
}

function toWord(word: string): [name: string, type: string | undefined] {
  const [name = '', type] = word.split(':')
  return [name, type]
}

function mapValues<In, Out>(all: Readonly<Record<string, In>>, change: (one: In) => Out): Record<string, Out> {
  return Object.fromEntries(Object.entries(all).map(([name, one]) => [name, change(one)]))
}
