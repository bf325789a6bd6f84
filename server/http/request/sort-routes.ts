import type { Concerning, Endpoint, Method } from '../../../src/contract/endpoint.ts'
import { ENDPOINTS, type EndpointName } from '../../../src/contract/endpoints/endpoints.ts'

/** An endpoint of the contract, with the collections, connection or attempt that its permission check applies to. */
export type EndpointRow = Endpoint & Concerning

/** A path of the service, with the endpoint of each of its methods. */
export type Route = {
  path: string
  methods: ReadonlyMap<Method, EndpointName>
  /** The value of the `Allow` header. */
  allow: string
}

/** Returns all routes in matching order: the first match applies. A literal segment sorts before a parameter. */
export function sortRoutes(endpoints: Readonly<Record<string, Endpoint>> = ENDPOINTS): Route[] {
  const names = Object.keys(endpoints) as EndpointName[]
  const paths = [...new Set(names.flatMap((name) => endpoints[name]?.path ?? []))].sort(bySpecificity)
  return paths.map((path) => {
    const methods = new Map(
      names.flatMap((name): [Method, EndpointName][] => {
        const row = endpoints[name]
        return row?.path === path ? [[row.method, name]] : []
      })
    )
    const allowed = [...methods].flatMap(([method, name]) => {
      return method === 'GET' && !endpoints[name]?.acts ? ['GET', 'HEAD'] : [method]
    })
    return { path, methods, allow: allowed.join(', ') }
  })
}

function bySpecificity(a: string, b: string): number {
  const [left, right] = [sortKey(a), sortKey(b)]
  return left < right ? -1 : Number(left > right)
}

/** Parameters sort after all literal segments. */
function sortKey(path: string): string {
  return path.replaceAll(/\{[^}]*\}/g, '\uffff')
}
