/** A talk by mail, told briefly: who wrote what, how many hours after the one before. */
export type SeedThread = {
  subject: string
  /** How many days before the seed's end it began. */
  daysAgo: number
  /** Label ids of all its messages besides where they lie. */
  labels?: readonly string[]
  mails: readonly SeedMail[]
}

export type SeedMail = {
  /** As in `Ada Moreau <ada@example.com>`; absent for the account itself. */
  from?: string
  hours?: number
  text?: string
  html?: string
  /** The message before stands below it, quoted. */
  quotes?: true
  files?: readonly { name: string; type: string; text: string }[]
  cc?: readonly string[]
}

/** What fills a mailbox besides talk: mails of one kind, one by one through the months. */
export type SeedSeries = {
  from: string
  everyDays: number
  labels: readonly string[]
  headers?: Readonly<Record<string, string>>
  issues: readonly { subject: string; text?: string; html?: string }[]
}

export type SeedMailbox = {
  /** A word for ids of its messages. */
  id: string
  name: string
  /** As its owner writes it; the account is known by it in lower case. */
  email: string
  threads: readonly SeedThread[]
  series: readonly SeedSeries[]
  /** Whole messages as they came, for what no honest program writes. */
  raw?: readonly { daysAgo: number; raw: string }[]
}
