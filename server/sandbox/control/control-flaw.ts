/** An order that cannot be carried out, and what mends it. */
export class ControlFlaw extends Error {
  readonly status: number
  readonly hint: string

  constructor(status: number, message: string, hint: string) {
    super(message)
    this.name = 'ControlFlaw'
    this.status = status
    this.hint = hint
  }

  /** As JSON, in the way of the command line's own failures. */
  reply(): Response {
    const { status, message, hint } = this
    return Response.json({ error: { message, hint } }, { status, headers: { 'cache-control': 'no-store' } })
  }
}
