import { existsSync, readFileSync } from 'node:fs'
import type { ProviderId } from '../../../src/contract/provider-ids.ts'

/** An operation of a published description. Names of path parameters are omitted: `{}`. */
export type Published = { operation: string; method: string; path: string }

/** Methods of Slack are called with GET and POST, whichever the description has. */
export type Description = {
  operations: readonly Published[]
  anyMethod: boolean
  scopes: ReadonlySet<string> | undefined
}

const FILES: Readonly<Record<ProviderId, string>> = {
  cloud_drive: '../shared/fixtures/google-discovery/drive.v3.json',
  team_chat: '../shared/fixtures/slack-openapi/slack_web_openapi_v2.json',
  mailbox: '../shared/fixtures/google-discovery/gmail.v1.json',
  notes: '../shared/fixtures/notion-openapi/notion-openapi.json'
}

/** Returns a provider's published description, or undefined if the shared files are missing. */
export function publishedOperations(id: ProviderId): Description | undefined {
  if (!existsSync(FILES[id])) return undefined
  const document: unknown = JSON.parse(readFileSync(FILES[id], 'utf8'))
  return id === 'cloud_drive' || id === 'mailbox' ? discovery(document as Discovery) : openApi(document as OpenApi)
}

/** Removes the names of a path's parameters. */
export function withoutNames(path: string): string {
  return path.replaceAll(/\{[^}]*\}/g, '{}')
}

type Discovery = Resource & { servicePath: string; auth: { oauth2: { scopes: Record<string, unknown> } } }
type Resource = { methods?: Record<string, Method>; resources?: Record<string, Resource> }
type Method = { id: string; httpMethod: string; path: string }

function discovery(document: Discovery): Description {
  const operations = methodsOf(document).map(({ id, httpMethod, path }) => {
    return { operation: id, method: httpMethod, path: withoutNames(`/${document.servicePath}${path}`) }
  })
  return { operations, anyMethod: false, scopes: new Set(Object.keys(document.auth.oauth2.scopes)) }
}

function methodsOf({ methods = {}, resources = {} }: Resource): Method[] {
  return [...Object.values(methods), ...Object.values(resources).flatMap(methodsOf)]
}

type OpenApi = {
  swagger?: string
  basePath?: string
  paths: Record<string, Record<string, Operation>>
  securityDefinitions?: { slackAuth?: { scopes: Record<string, string> } }
}
type Operation = { operationId: string; tags?: string[] }

const METHODS = new Set(['get', 'post', 'patch', 'put', 'delete'])

function openApi({ swagger, basePath = '', paths, securityDefinitions }: OpenApi): Description {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => METHODS.has(method))
      .map(([method, { operationId }]) => {
        // Slack's documentation names operations by their paths.
        const operation = swagger === undefined ? operationId : path.slice(1)
        return { operation, method: method.toUpperCase(), path: withoutNames(`${basePath}${path}`) }
      })
  )
  const scopes = securityDefinitions?.slackAuth?.scopes
  return { operations, anyMethod: swagger !== undefined, scopes: scopes && new Set(Object.keys(scopes)) }
}
