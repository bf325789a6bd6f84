import * as z from 'zod'
import { Attempt, Channel, Connection, ConnectResult, Disconnected, Folder, NamedConnection } from '../connection.ts'
import { EpisodeEntry, MemoryResponse, ProcedureEntry, SemanticEntry, SourceEntry } from '../memory-response.ts'
import { MemoryId, Metadata, SnapshotObject, Time } from '../snapshot.ts'
import { SyncItem, SyncRun, SyncSchedule } from '../sync-run.ts'
import { Collection, Done, Restored } from './collections.ts'
import { Selection } from './connectors.ts'
import { Key, KeyGrant, NewKey } from './keys.ts'
import { SearchBody, StoreBody } from './memories.ts'

/** A schema of JSON Schema 2020-12. */
export type JsonSchema = { [keyword: string]: unknown }

/** A schema, and the named schemas that it refers to as `#/components/schemas/NAME`. */
export type NamedSchemas = { schema: JsonSchema; named: Named }

type Named = Record<string, JsonSchema>

/** The schemas that have a name in documents. */
export const SCHEMA_NAMES = z.registry<{ id: string }>()
for (const [id, schema] of Object.entries({
  Collection,
  Done,
  Restored,
  Grant: KeyGrant,
  Key,
  NewKey,
  StoreBody,
  SearchBody,
  Metadata,
  Connection,
  NamedConnection,
  ConnectResult,
  Attempt,
  Folder,
  Channel,
  Disconnected,
  Selection,
  SyncItem,
  SyncRun,
  SyncSchedule,
  MemoryResponse,
  SemanticEntry,
  ProcedureEntry,
  EpisodeEntry,
  SourceEntry,
  Snapshot: SnapshotObject,
  Time,
  MemoryId
})) {
  SCHEMA_NAMES.add(schema, { id })
}

/** Converts the input of a schema to JSON Schema. Unknown members are rejected only if the schema rejects them. */
export function toJsonSchema(schema: z.ZodType): NamedSchemas {
  const made = z.toJSONSchema(schema, {
    io: 'input',
    // Types without a JSON Schema accept any value.
    unrepresentable: 'any',
    metadata: SCHEMA_NAMES,
    override: ({ zodSchema, jsonSchema }) => tidy(zodSchema, jsonSchema)
  })
  const { $defs = {}, $schema: _, ...whole } = pointToComponents(made) as JsonSchema & { $defs?: Named }
  const named = Object.entries($defs).map(([name, { id: _id, ...rest }]) => [name, rest])
  return { schema: whole, named: Object.fromEntries(named) }
}

/**
 * Adds the metadata of the schema, and removes keywords that carry no information: patterns of formats, ranges of all
 * integers.
 */
function tidy(schema: z.core.$ZodType, json: JsonSchema): void {
  Object.assign(json, z.globalRegistry.get(schema))
  if (json.format !== undefined || (schema instanceof z.ZodISODateTime && json.pattern !== undefined))
    delete json.pattern
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum
  delete json.propertyNames
}

function component(name: string): string {
  return `#/components/schemas/${name}`
}

function pointToComponents(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pointToComponents)
  if (typeof value !== 'object' || value === null) return value
  const reference = '$ref' in value ? /^#\/\$defs\/(.*)$/.exec(String(value.$ref))?.[1] : undefined
  const members = Object.entries(value).map(([name, member]) => [name, pointToComponents(member)])
  return { ...Object.fromEntries(members), ...(reference === undefined ? {} : { $ref: component(reference) }) }
}
