import type { Concerning, Endpoint, Method } from '../../../src/contract/endpoint.ts'
import { ENDPOINTS, type EndpointName } from '../../../src/contract/endpoints/endpoints.ts'

/** An endpoint of the contract, with the collections, connection or attempt that its input concerns. */
export type EndpointRow = Endpoint & Concerning

/** A path of the service: which endpoint each of its methods is. */
export type Route = {
  path: string
  methods: ReadonlyMap<Method, EndpointName>
  /** What `Allow` says of it. */
  allow: string
}

/** All of them, so ordered that the first that fits is meant: a written segment comes before one that is a parameter. */
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

/** A parameter sorts behind every written segment. */
function sortKey(path: string): string {
  return path.replaceAll(/\{[^}]*\}/g, '\uffff')
}
