import type { ColumnType } from './content.ts'

/** A workspace, told briefly. */
export type SeedWorkspace = {
  /** Of the workspace, by which the account goes. */
  id: string
  name: string
  email: string
  workspace: string
  /** Besides the account itself. */
  people: readonly string[]
  pages: readonly SeedPage[]
}

export type SeedPage = {
  title: string
  /** How many days before the seed's end it was last edited. */
  daysAgo: number
  /** Lines as `blocks-of-text.ts` has them. */
  text?: string
  /** Search does not know of it. */
  hidden?: true
  trashed?: true
  pages?: readonly SeedPage[]
  tables?: readonly SeedTable[]
}

export type SeedTable = {
  title: string
  columns: Readonly<Record<string, ColumnType>>
  rows: readonly SeedRow[]
}

export type SeedRow = [title: string, daysAgo: number, values: Readonly<Record<string, unknown>>, text?: string]
