import type { Said } from './storage-page-things.ts'

type Named = Readonly<Record<string, Said>>

const BY_HAND = 'by hand'

/** A model of the owners of memories, as the port documents them: plain sets. */
export class HoldersModel {
  readonly #holders = new Map<string, Set<string>>()
  readonly #status = new Map<string, string>()
  readonly #forgotten = new Set<string>()
  readonly #takenBack = new Set<string>()
  readonly #copy = new Map<string, number>()
  readonly #revoked = new Set<number>()

  /** Returns the name of a memory with its current copy number. */
  readonly nameOf = (about: unknown): string => `${about}${this.#copy.get(String(about)) ?? 1}`

  isRevoked(connection: number): boolean {
    return this.#revoked.has(connection)
  }

  /** Returns the rows of a page that a source has deleted before. From then on they are stored as further copies. */
  copiesOf(items: Named): number[] {
    const abouts = Object.values(items).flatMap((said) => (Array.isArray(said) ? (said as string[]) : []))
    const copies = abouts.flatMap((about, row) => (this.#takenBack.has(this.nameOf(about)) ? [row] : []))
    for (const about of new Set(copies.map((row) => abouts[row] ?? '')))
      this.#copy.set(about, (this.#copy.get(about) ?? 1) + 1)
    return copies
  }

  /** Applies a page. Returns how many items are removed. */
  page(connection: number, items: Named, gone: readonly string[]): number {
    const before = this.#heldBy(() => true)
    const dropped = gone.filter((id) => items[id] === undefined && this.#status.delete(`${connection} ${id}`))
    for (const id of dropped) this.#empty(`${connection} ${id}`)
    for (const [id, said] of Object.entries(items)) this.#takeItem(`${connection} ${id}`, said)
    this.#takeBack(before)
    return dropped.length
  }

  revoke(connection: number): void {
    this.#revoked.add(connection)
  }

  holdingsOf(connection: number): number {
    return [...this.#holders.values()].flatMap((all) => [...all].filter((one) => one.startsWith(`${connection} `)))
      .length
  }

  cleanUp(connection: number): void {
    const before = this.#heldBy((holder) => holder.startsWith(`${connection} `))
    for (const all of this.#holders.values())
      for (const holder of all) if (holder.startsWith(`${connection} `)) all.delete(holder)
    this.#takeBack(before)
  }

  append(abouts: readonly string[]): void {
    for (const name of abouts.map(this.nameOf)) {
      if (this.#forgotten.has(name) || this.#takenBack.has(name)) continue
      this.#holders.set(name, (this.#holders.get(name) ?? new Set()).add(BY_HAND))
    }
  }

  forget(about: string): void {
    const name = this.nameOf(about)
    this.#holders.delete(name)
    this.#takenBack.delete(name)
    this.#forgotten.add(name)
  }

  live(): string[] {
    return [...this.#holders.keys()].sort()
  }

  items(connection: number): string[] {
    const own = [...this.#status].filter(([holder]) => holder.startsWith(`${connection} `)).sort()
    return own.map(([holder, status]) => {
      const held = [...this.#holders.values()].filter((all) => all.has(holder)).length
      return `${holder.slice(2)} ${status} ${held}`
    })
  }

  #takeItem(holder: string, said: Said): void {
    if (said === 'unchanged' || said === 'absent') return
    if ('failed' in said) {
      this.#status.set(holder, 'failed')
      return
    }
    this.#empty(holder)
    this.#status.set(holder, 'skipped' in said ? 'skipped' : 'synced')
    if ('skipped' in said) return
    for (const name of said.map(this.nameOf))
      if (!this.#forgotten.has(name)) this.#holders.set(name, (this.#holders.get(name) ?? new Set()).add(holder))
  }

  #empty(holder: string): void {
    for (const all of this.#holders.values()) all.delete(holder)
  }

  /** Returns the matching owners of each memory. */
  #heldBy(isMeant: (holder: string) => boolean): Map<string, string[]> {
    const held = [...this.#holders].map(([name, all]): [string, string[]] => [name, [...all].filter(isMeant)])
    return new Map(held.filter(([, all]) => all.length > 0))
  }

  /** Forgets the memories that lost an owner and have no remaining one. */
  #takeBack(before: ReadonlyMap<string, string[]>): void {
    for (const [name, had] of before) {
      const all = this.#holders.get(name) ?? new Set()
      const isLetGo = had.some((holder) => !all.has(holder))
      const counts = [...all].some((holder) => holder === BY_HAND || !this.isRevoked(Number(holder.split(' ')[0])))
      if (!isLetGo || counts) continue
      this.#holders.delete(name)
      this.#takenBack.add(name)
    }
  }
}
