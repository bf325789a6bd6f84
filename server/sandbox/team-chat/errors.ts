import type { SandboxCall } from '../core/sandbox-provider.ts'
import type { Workspace } from './content.ts'

/** The arguments of a method, whether in the query, as a form or as JSON (https://docs.slack.dev/apis/web-api/). */
export type Given = {
  workspace: Workspace
  text(name: string): string | undefined
  flag(name: string): boolean
}

/** Reads the arguments of a call. Those in the body take precedence. */
export function readGiven({ account, query, body, request }: SandboxCall): Given {
  const said = new Map([...query, ...bodyArguments(body, request.headers.get('content-type') ?? '')])
  const text = (name: string): string | undefined => said.get(name) || undefined
  return {
    // Created by `seedAccounts`, the only source of accounts of this sandbox provider.
    workspace: account.content as Workspace,
    text,
    flag: (name) => ['true', '1'].includes(text(name) ?? '')
  }
}

function bodyArguments(body: Uint8Array, type: string): [string, string][] {
  if (body.length === 0) return []
  const text = new TextDecoder().decode(body)
  if (!type.includes('json')) return [...new URLSearchParams(text)]
  try {
    return Object.entries(JSON.parse(text) as Record<string, unknown>).map(([name, value]) => [name, String(value)])
  } catch {
    return []
  }
}

/**
 * Refuses a body that Slack cannot read, with the errors that all methods have in common. Returns undefined for a valid
 * or missing body.
 */
export function checkBody({ body, request }: SandboxCall): Response | undefined {
  if (body.length === 0) return undefined
  const type = request.headers.get('content-type') ?? ''
  if (type === '') return refuse('missing_post_type')
  if (/^application\/x-www-form-urlencoded\b/.test(type)) return undefined
  if (!/^application\/json\b/.test(type)) return refuse('invalid_post_type')
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(body))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? undefined : refuse('json_not_object')
  } catch {
    return refuse('invalid_json')
  }
}

/** Builds a successful reply. */
export function ok(members: Record<string, unknown> = {}): Response {
  return Response.json({ ok: true, ...members })
}

/** Builds a refusal, which has status 200. */
export function refuse(error: string, members: Record<string, unknown> = {}): Response {
  return Response.json({ ok: false, error, ...members })
}

/** Refuses a call whose token lacks a scope, or returns undefined if it has it. */
export function checkScope({ scopes }: SandboxCall, needed: string): Response | undefined {
  if (scopes.includes(needed)) return undefined
  return refuse('missing_scope', { needed, provided: scopes.join(',') })
}
