import { Buffer } from 'node:buffer'
import { readSeed } from '../core/read-seed.ts'
import type { SandboxAccount, Seed } from '../core/sandbox-provider.ts'
import { createContent, type DriveContent, type DriveNode, FOLDER_TYPE, putNode, SHORTCUT_TYPE } from './content.ts'
import { makeDocx, makePdf } from './make-files.ts'

import seedFile from './seed.json' with { type: 'json' }

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

type SeedText = { name: string; text: string }

/** The texts of the sandbox accounts: `seed.json`. */
type SeedTexts = {
  documents: readonly SeedText[]
  meetings: readonly SeedText[]
  guides: readonly SeedText[]
  clients: readonly SeedText[]
  recipes: readonly SeedText[]
  family: readonly SeedText[]
  /** As CSV. */
  budget: string
  /** The lines of a PDF. */
  brief: string
  /** As HTML. */
  diary: string
  hostileNames: readonly string[]
}

/**
 * Creates three accounts: a person who works in a studio, one with a small private drive, and one with malicious file
 * names.
 */
export function seedAccounts(seed: Seed): SandboxAccount[] {
  const people = [
    { id: '06412830957716204411', name: 'Mara Lindqvist', email: 'mara.lindqvist@example.com', fill: fillStudio },
    { id: '11790346625081937520', name: 'Tomás Oyelaran', email: 'tomas.oyelaran@example.com', fill: fillPrivate },
    { id: '15528804417390265183', name: 'Robin Example', email: 'robin@example.com', fill: fillHostile }
  ]
  const texts = readSeed<SeedTexts>(seedFile)
  return people.map(({ fill, ...user }) => {
    const account = seedAccount(user, seed)
    fill(account, texts)
    return { ...user, content: account.content }
  })
}

function fillStudio(seed: AccountSeed, texts: SeedTexts): void {
  const studio = seed.folder('Harbour Lane Studio')
  const projects = seed.folder('Projects', studio)
  const library = seed.folder('Tidewater Library', projects)
  const drawings = seed.folder('Drawings', library)
  const meetings = seed.folder('Meeting notes', library)
  const admin = seed.folder('Administration', studio)
  for (const { name, text } of texts.documents) seed.native('document', name, { parent: library, text })
  texts.meetings.forEach(({ name, text }, i) => {
    seed.native('document', name, { parent: meetings, text, daysAgo: 7 * (texts.meetings.length - i) })
  })
  for (const { name, text } of texts.guides) seed.file('text/markdown', name, { parent: admin, text })
  for (const { name, text } of texts.clients) seed.file(DOCX, name, { parent: admin, bytes: makeDocx(text) })
  seed.native('spreadsheet', 'Budget Tidewater Library', { parent: library, text: texts.budget })
  seed.file('text/csv', 'invoices.csv', { parent: admin, text: texts.budget })
  const brief = seed.file('application/pdf', 'Competition brief.pdf', {
    parent: library,
    bytes: makePdf(texts.brief)
  })
  seed.file('image/png', 'east elevation.png', { parent: drawings, bytes: Uint8Array.of(0x89, 0x50, 0x4e, 0x47) })
  seed.native('presentation', 'Concept for the jury', {
    parent: drawings,
    text: 'Light from the north\n\nA reading room for tides\n'
  })
  seed.file('text/html', 'site-diary.html', {
    parent: library,
    text: texts.diary,
    daysAgo: 41
  })
  const personal = seed.folder('Personal')
  for (const { name, text } of texts.recipes) seed.file('text/plain', name, { parent: personal, text })
  seed.shortcut('The brief', { parent: personal, target: brief })
  const drive = seed.sharedDrive('Guild of Small Studios')
  const rates = seed.folder('Rates', drive)
  seed.native('document', 'Recommended rates', {
    parent: rates,
    text: 'An hour of design is 95 euro, an hour on site 110 euro.'
  })
  seed.native('document', 'Letter to all members', {
    parent: drive,
    text: 'The guild meets each first Thursday in the old ferry house.'
  })
  seed.native('document', 'Shared by the engineer', {
    parent: 'nowhere',
    text: 'The slab carries 5 kN per square metre.'
  })
}

function fillPrivate(seed: AccountSeed, texts: SeedTexts): void {
  const house = seed.folder('House')
  const trips = seed.folder('Trips')
  const year = seed.folder('2025', trips)
  for (const { name, text } of texts.family) seed.native('document', name, { parent: house, text })
  seed.file('text/plain', 'packing list.txt', {
    parent: year,
    text: 'Rain coats, the blue tent, a spare key for Ines.'
  })
  seed.native('spreadsheet', 'Costs of the trip', { parent: year, text: 'item,euro\nferry,210\ntent,149\n' })
}

/** Adds malicious names, which are shown to people and written into files. They must be treated as plain text. */
function fillHostile(seed: AccountSeed, texts: SeedTexts): void {
  const parent = seed.folder(texts.hostileNames[0] ?? '')
  texts.hostileNames.forEach((name, i) => {
    seed.file('text/plain', name, { parent, text: `The file number ${i} says: ${name.slice(0, 200)}` })
    seed.folder(name, parent)
  })
}

const NATIVE = 'application/vnd.google-apps.'
const DAY_MS = 24 * 3600 * 1000
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Fills an account. Ids look like those of the service, but without `-` and `_`. */
type AccountSeed = {
  content: DriveContent
  folder(name: string, parent?: DriveNode): DriveNode
  /** Adds a native document, sheet (with CSV as text) or presentation. */
  native(kind: 'document' | 'spreadsheet' | 'presentation' | 'form', name: string, more: SeededFile): DriveNode
  file(mimeType: string, name: string, more: SeededFile): DriveNode
  shortcut(name: string, more: { parent: DriveNode; target: DriveNode }): DriveNode
  sharedDrive(name: string): DriveNode
}

/** Without `parent`: at the top level. `'nowhere'`: shared with the account, without a place in its drive. */
type SeededFile = { parent?: DriveNode | 'nowhere'; text?: string; bytes?: Uint8Array; daysAgo?: number }

/** Creates an account with an empty root folder. */
function seedAccount(user: DriveContent['user'], { now, random }: Seed): AccountSeed {
  const content = createContent(user, newId(random))
  const put = (name: string, mimeType: string, more: SeededFile & { target?: string } = {}): DriveNode => {
    const at = now - Math.round((more.daysAgo ?? 1 + random() * 300) * DAY_MS)
    const parent = more.parent === 'nowhere' ? undefined : (more.parent?.id ?? content.root)
    const driveId = more.parent === 'nowhere' ? undefined : (more.parent?.driveId ?? findDrive(content, parent))
    const bytes = more.bytes ?? Buffer.from(more.text ?? '')
    const place = { ...(parent !== undefined && { parent }), ...(driveId !== undefined && { driveId }) }
    const node = { id: newId(random), name, mimeType, ...place, bytes, ...(more.target && { target: more.target }) }
    return putNode(content, { ...FRESH, ...node, createdAt: at, modifiedAt: at })
  }
  putNode(content, { ...FRESH, id: content.root, name: 'My Drive', mimeType: FOLDER_TYPE, ...toTimes(now) })
  return {
    content,
    folder: (name, parent) => put(name, FOLDER_TYPE, parent === undefined ? {} : { parent }),
    native: (kind, name, more) => put(name, `${NATIVE}${kind}`, more),
    file: (mimeType, name, more) => put(name, mimeType, more),
    shortcut: (name, { parent, target }) => put(name, SHORTCUT_TYPE, { parent, target: target.id }),
    sharedDrive(name) {
      const id = `0A${newId(random).slice(2, 19)}`
      content.drives.set(id, name)
      return putNode(content, { ...FRESH, id, name, mimeType: FOLDER_TYPE, driveId: id, ...toTimes(now) })
    }
  }
}

/** The defaults of a new node. */
export const FRESH = {
  trashed: false,
  version: 1,
  revision: 1,
  bytes: new Uint8Array(),
  downloadable: true,
  abusive: false
}

/** Returns an id of 33 letters and digits, the length of the service's ids. */
export function newId(random: () => number): string {
  const letters = Array.from({ length: 32 }, () => LETTERS[Math.floor(random() * LETTERS.length)] ?? 'A')
  return `1${letters.join('')}`
}

function findDrive({ drives }: DriveContent, parent: string | undefined): string | undefined {
  return parent !== undefined && drives.has(parent) ? parent : undefined
}

function toTimes(now: number) {
  return { createdAt: now - 400 * DAY_MS, modifiedAt: now - 400 * DAY_MS }
}
