export function makeOpenApi(version: string): { openapi: string; info: { title: string; version: string } } {
  return { openapi: '3.1.1', info: { title: 'memctl', version } }
}
