import type { Tag } from './open-api.ts'

/** The groups that endpoints are shown in, in the order they are shown. */
export const TAGS = [
  { name: 'memories', description: 'Remembering and finding, in collections or in a snapshot that is sent along.' },
  {
    name: 'device-memory',
    description: 'Taking a collection away as a snapshot, and trying a snapshot out on the server.'
  },
  { name: 'collections', description: 'Sets of memories with permissions of their own.' },
  { name: 'connectors', description: 'Accounts at providers, linked to a collection.' },
  { name: 'oauth', description: 'Where the person comes back to after consenting.' },
  { name: 'keys', description: 'Who may do what.' },
  { name: 'vault', description: 'How credentials are kept.' },
  { name: 'service', description: 'The state of the server, and this contract.' }
] as const satisfies readonly Tag[]

/** The group of a path: its first word after the version. */
export function tagOf(path: string): string {
  return /^\/v1\/([^/]+)/.exec(path)?.[1] ?? 'service'
}
