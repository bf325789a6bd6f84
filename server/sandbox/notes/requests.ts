import type { z } from 'zod'
import type { SandboxCall, SandboxRoute } from '../core/sandbox-provider.ts'
import type { Workspace } from './content.ts'
import { invalid, notPresent, refuse } from './errors.ts'

/** The supported API versions. */
const VERSIONS = ['2025-09-03']

/** Creates a route of the API. All routes require a version. */
export function route(
  operation: string,
  at: `${'GET' | 'POST'} ${string}`,
  answer: (call: SandboxCall, workspace: Workspace) => Response
): SandboxRoute {
  const [method = 'GET', path = ''] = at.split(' ')
  return {
    method: method === 'POST' ? 'POST' : 'GET',
    path,
    operation,
    answer(call) {
      const version = call.request.headers.get('notion-version')
      const should = `should be ${VERSIONS.map((one) => `"${one}"`).join(' or ')}, instead was`
      if (version === null || !VERSIONS.includes(version)) {
        const was = version === null ? 'undefined' : `"${version.slice(0, 40)}"`
        return refuse(
          400,
          'missing_version',
          `Notion-Version header failed validation: Notion-Version header ${should} ${was}.`
        )
      }
      return checkId(call) ?? answer(call, call.account.content as Workspace)
    }
  }
}

/** Validates the ids in a path, before they are looked up. */
function checkId({ params }: SandboxCall): Response | undefined {
  const [name, value] = Object.entries(params).find(([, text]) => findId(text) === undefined) ?? []
  if (name === undefined) return undefined
  const was = JSON.stringify(value).slice(0, 100)
  return invalid(`path failed validation: path.${name} should be a valid uuid, instead was \`${was}\`.`)
}

/** Parses the JSON or query parameters of a call by a schema, or returns a refusal. */
export function parseAsked<S extends z.ZodType>(call: SandboxCall, schema: S): z.output<S> | Response {
  const value = call.request.method === 'POST' ? readJson(call.body) : readParams(call.query)
  if (value === undefined) return refuse(400, 'invalid_json', 'Error parsing JSON body.')
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const where = call.request.method === 'POST' ? 'body' : 'query'
  const [key] = issue?.code === 'unrecognized_keys' ? issue.keys : []
  const path = [where, ...(issue?.path ?? []), ...(key === undefined ? [] : [key])].join('.')
  const why = key === undefined ? issue?.message : notPresent(memberAt(value, [...(issue?.path ?? []), key]))
  return invalid(`${where} failed validation: ${path} ${why}`)
}

function memberAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], value)
}

function readJson(body: Uint8Array): unknown {
  if (body.length === 0) return {}
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    return undefined
  }
}

/** Reads query parameters. Repeatable ones become lists. */
function readParams(query: URLSearchParams): Record<string, unknown> {
  const several = query.getAll('filter_properties')
  return { ...Object.fromEntries(query), ...(several.length > 0 && { filter_properties: several }) }
}

/** Normalizes an id to the form with dashes, or returns undefined if it is invalid. */
export function findId(text: string | undefined): string | undefined {
  const hex = text?.replaceAll('-', '').toLowerCase() ?? ''
  if (!/^[0-9a-f]{32}$/.test(hex)) return undefined
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
