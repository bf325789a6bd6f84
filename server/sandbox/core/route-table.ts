/** Routes by method and path. If several match, the one with the fewest parameters wins. */
export type RouteTable<Route> = {
  find(method: string, path: string): { route: Route; params: Readonly<Record<string, string>> } | undefined
}

/** Creates a table of routes. Their paths have parameters as `{name}`, which match one segment or a part of one. */
export function createRouteTable<Route extends { method: string; path: string }>(
  routes: readonly Route[]
): RouteTable<Route> {
  const compiled = routes.map(compile).sort((a, b) => a.names.length - b.names.length)
  return {
    find(method, path) {
      for (const { route, pattern, names } of compiled) {
        const match = route.method === method ? pattern.exec(path) : null
        const params = match === null ? undefined : readParams(names, match)
        if (params !== undefined) return { route, params }
      }
      return undefined
    }
  }
}

function compile<Route extends { path: string }>(route: Route): { route: Route; pattern: RegExp; names: string[] } {
  const names: string[] = []
  const source = route.path.replace(/\{(\w+)\}|[\\^$.*+?()[\]|]/g, (sign, name: string | undefined) => {
    if (name === undefined) return `\\${sign}`
    names.push(name)
    return '([^/]+)'
  })
  return { route, pattern: new RegExp(`^${source}$`), names }
}

/** Decodes the parameters, or returns undefined if the encoding of one is invalid. */
function readParams(names: readonly string[], match: RegExpExecArray): Record<string, string> | undefined {
  try {
    return Object.fromEntries(names.map((name, at) => [name, decodeURIComponent(match[at + 1] ?? '')]))
  } catch {
    return undefined
  }
}
