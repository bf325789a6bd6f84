/** What is said in a workspace before anybody changes it. Handles name people; `@{handle}` in a text mentions one. */
export type SeedWorkspace = {
  /** A person of the account's consent page. */
  name: string
  email: string
  number: number
  team: string
  domain: string
  /** The first one is whose account it is. */
  people: readonly (readonly [handle: string, realName: string, displayName: string, title: string])[]
  channels: readonly SeedChannel[]
}

export type SeedChannel = {
  name: string
  topic?: string
  private?: true
  archived?: true
  /** The account's person is not in it. */
  without?: true
  talk: readonly SeedTalk[]
}

/** Days before the seeded content ends, minutes into that day, who, what, and what was answered, with its minutes after. */
export type SeedTalk = readonly [
  daysAgo: number,
  minute: number,
  who: string,
  text: string,
  answers?: readonly SeedAnswer[]
]

/** `who` may be `join` or `bot` in place of a handle; an answer that begins with `!` is also sent to the channel. */
export type SeedAnswer = readonly [minutes: number, who: string, text: string]
