import { existsSync, readFileSync } from 'node:fs'
import type { KnownParameters } from '../../../server/sandbox/core/sandbox-provider.ts'
import type { PublishedApi } from '../../../server/sandbox/google/published-api.ts'

type Schema = {
  type?: string
  $ref?: string
  properties?: Record<string, Schema>
  items?: Schema
  additionalProperties?: Schema
  location?: string
}
type Method = { id: string; parameters?: Record<string, Schema>; response?: { $ref: string } }
type Resource = { methods?: Record<string, Method>; resources?: Record<string, Resource> }
type Discovery = Resource & { parameters: Record<string, Schema>; schemas: Record<string, Schema> }

/**
 * Returns the description of some operations from a discovery document in the format of the sandbox's table, or
 * undefined if it is missing.
 */
export function publishedApi(file: string, operations: readonly string[]): PublishedApi | undefined {
  const path = `../shared/fixtures/google-discovery/${file}`
  if (!existsSync(path)) return undefined
  const document = JSON.parse(readFileSync(path, 'utf8')) as Discovery
  const methods = methodsIn(document).filter(({ id }) => operations.includes(id))
  const schemas: Record<string, Map<string, string | undefined>> = {}
  for (const { response } of methods) if (response !== undefined) addSchema({ document, schemas }, response.$ref)
  const queryOf = ({ parameters = {} }: Method) =>
    new Map(
      [...Object.entries(document.parameters), ...Object.entries(parameters)]
        .filter(([, { location }]) => location === 'query')
        .map(([name, { type = 'string' }]): [string, string] => [name, type])
    )
  return {
    operations: Object.fromEntries(
      methods.map((method) => [method.id, { query: queryOf(method), reply: method.response?.$ref }])
    ),
    schemas
  }
}

function methodsIn({ methods = {}, resources = {} }: Resource): Method[] {
  return [...Object.values(methods), ...Object.values(resources).flatMap(methodsIn)]
}

type Reading = { document: Discovery; schemas: Record<string, Map<string, string | undefined>> }

function addSchema(reading: Reading, name: string, schema = reading.document.schemas[name]): void {
  const { schemas } = reading
  if (Object.hasOwn(schemas, name)) return
  const members = new Map<string, string | undefined>()
  schemas[name] = members
  for (const [member, found] of Object.entries(schema?.properties ?? {})) {
    let value = found
    while (value.items !== undefined) value = value.items
    const below = value.properties !== undefined ? `${name}.${member}` : value.$ref
    if (below !== undefined) addSchema(reading, below, value.$ref === undefined ? value : undefined)
    members.set(member, value.additionalProperties !== undefined ? '*' : below)
  }
}

type OpenApi = {
  paths: Record<string, Record<string, Operation>>
  components?: { parameters: Record<string, Parameter> }
}
type Parameter = { $ref?: string; name: string; in: string }
type Operation = {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { content?: Record<string, { schema?: Schema }> }
}

/** Returns the parameters of Notion's operations, or undefined if the description is missing. */
export function notionParameters(operations: readonly string[]): Record<string, KnownParameters> | undefined {
  const path = '../shared/fixtures/notion-openapi/notion-openapi.json'
  if (!existsSync(path)) return undefined
  const { paths, components } = JSON.parse(readFileSync(path, 'utf8')) as OpenApi
  const found = Object.values(paths)
    .flatMap((item) => Object.values(item))
    .filter(({ operationId }) => operations.includes(operationId))
  return Object.fromEntries(
    found.map(({ operationId, parameters = [], requestBody }) => {
      const all = parameters.map((one) => components?.parameters[one.$ref?.split('/').at(-1) ?? ''] ?? one)
      const body = requestBody?.content?.['application/json']?.schema?.properties
      const query = all.filter((one) => one.in === 'query').map(({ name }) => name)
      return [operationId, { query, ...(body !== undefined && { body: Object.keys(body) }) }]
    })
  )
}

/** Returns the arguments of Slack's methods, or undefined if the description is missing. */
export function slackArguments(methods: readonly string[]): Record<string, string[]> | undefined {
  const path = '../shared/fixtures/slack-openapi/slack_web_openapi_v2.json'
  if (!existsSync(path)) return undefined
  const { paths } = JSON.parse(readFileSync(path, 'utf8')) as OpenApi
  return Object.fromEntries(
    methods.map((method) => {
      const [operation] = Object.values(paths[`/${method}`] ?? {})
      return [method, (operation?.parameters ?? []).map(({ name }) => name)]
    })
  )
}
