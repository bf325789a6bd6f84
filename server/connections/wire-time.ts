/** Milliseconds since 1970 as the wire writes a time. */
export function timeOf(ms: number): string {
  return new Date(ms).toISOString()
}

/** The same of what may not have happened yet. */
export function timeOrNull(ms: number | undefined): string | null {
  return ms === undefined ? null : timeOf(ms)
}
