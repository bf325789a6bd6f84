import { type Endpoint, faultsOf } from '../../../src/contract/endpoint.ts'
import { ENDPOINTS } from '../../../src/contract/endpoints.ts'
import { Problem } from '../../../src/contract/failure.ts'
import type { FaultCode } from '../../../src/contract/faults.ts'
import { type JsonSchema, jsonSchemaOf } from '../../../src/contract/json-schema.ts'
import type { Row } from '../serve-row.ts'
import type { OpenApi, PathItem } from './open-api.ts'
import { operationOf, type SchemaOf } from './operation.ts'
import { TAGS } from './tags.ts'

/** The contract as an OpenAPI 3.1 document, out of the rows and nothing else. */
export function makeOpenApi(version: string, rows: Readonly<Record<string, Row>> = ENDPOINTS): OpenApi {
  const schemas: Record<string, JsonSchema> = {}
  const schemaOf = (schema: Parameters<typeof jsonSchemaOf>[0]): JsonSchema => {
    const made = jsonSchemaOf(schema)
    Object.assign(schemas, made.named)
    return made.schema
  }
  schemas.Problem = problemSchema(schemaOf, Object.values(rows))
  const paths: Record<string, PathItem> = {}
  for (const [name, row] of Object.entries(rows)) {
    paths[row.path] = { ...paths[row.path], [methodOf(row)]: operationOf(name, row, schemaOf) }
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'memctl',
      version,
      summary: 'Memory that you own: stored, searched and taken away as a snapshot.',
      description: ABOUT,
      license: { name: 'MIT', identifier: 'MIT' }
    },
    servers: [{ url: '/', description: 'This server.' }],
    security: [{ bearer: [] }, { apiKey: [] }],
    tags: TAGS,
    paths,
    components: { schemas: sorted(schemas), securitySchemes: SECURITY_SCHEMES }
  }
}

const ABOUT = `Bodies and replies are JSON in UTF-8. Every reply that reports an error is problem details (RFC 9457) with a stable \
\`code\`. A key is sent as \`Authorization: Bearer mk_…\` or as \`X-API-Key: mk_…\`. Every reply has \`X-Request-Id\`; one that comes \
with a request is taken over. What is limited says so in \`RateLimit\`, and \`Retry-After\` says when to ask again.`

const SECURITY_SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer', description: 'A key, as `Authorization: Bearer mk_…`.' },
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'The same key, in a header of its own.' }
}

/** What any request may be answered with, whatever row it is for. */
const ANYWHERE: readonly FaultCode[] = ['not_found', 'method_not_allowed', 'forbidden', 'internal', 'unavailable']

/** The shape of problems with the codes that replies have: the table of faults has others, of the command line. */
function problemSchema(schemaOf: SchemaOf, rows: readonly Row[]): JsonSchema {
  const { properties, ...problem } = schemaOf(Problem)
  const codes = [...new Set([...rows.flatMap(faultsOf), ...ANYWHERE])].sort()
  const { code, ...members } = properties as Record<string, JsonSchema>
  return { ...problem, properties: { ...members, code: { ...code, enum: codes } } }
}

function methodOf({ method }: Endpoint): string {
  return method.toLowerCase()
}

/** By name, so that the order of rows does not show. */
function sorted(schemas: Record<string, JsonSchema>): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)))
}
