import type { Seed, StandInAccount } from '../stand-in.ts'
import { makeDocx } from './make-docx.ts'
import { makePdf } from './make-pdf.ts'
import { type AccountSeed, seedAccount } from './seed-account.ts'
import {
  BRIEF,
  BUDGET,
  CLIENTS,
  DIARY,
  DOCUMENTS,
  FAMILY,
  GUIDES,
  HOSTILE_NAMES,
  MEETINGS,
  RECIPES
} from './seed-texts.ts'

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

/** Three people: one who works in a studio, one with a small private drive, and one whose names try to do harm. */
export function seedAccounts(seed: Seed): StandInAccount[] {
  const people = [
    { id: '06412830957716204411', name: 'Mara Lindqvist', email: 'mara.lindqvist@example.com', fill: fillStudio },
    { id: '11790346625081937520', name: 'Tomás Oyelaran', email: 'tomas.oyelaran@example.com', fill: fillPrivate },
    { id: '15528804417390265183', name: 'Robin Example', email: 'robin@example.com', fill: fillHostile }
  ]
  return people.map(({ fill, ...user }) => {
    const account = seedAccount(user, seed)
    fill(account)
    return { ...user, content: account.content }
  })
}

function fillStudio(seed: AccountSeed): void {
  const studio = seed.folder('Harbour Lane Studio')
  const projects = seed.folder('Projects', studio)
  const library = seed.folder('Tidewater Library', projects)
  const drawings = seed.folder('Drawings', library)
  const meetings = seed.folder('Meeting notes', library)
  const admin = seed.folder('Administration', studio)
  for (const { name, text } of DOCUMENTS) seed.native('document', name, { parent: library, text })
  MEETINGS.forEach(({ name, text }, i) => {
    seed.native('document', name, { parent: meetings, text, daysAgo: 7 * (MEETINGS.length - i) })
  })
  for (const { name, text } of GUIDES) seed.file('text/markdown', name, { parent: admin, text })
  for (const { name, text } of CLIENTS) seed.file(DOCX, name, { parent: admin, bytes: makeDocx(text) })
  seed.native('spreadsheet', 'Budget Tidewater Library', { parent: library, text: BUDGET })
  seed.file('text/csv', 'invoices.csv', { parent: admin, text: BUDGET })
  const brief = seed.file('application/pdf', 'Competition brief.pdf', {
    parent: library,
    bytes: makePdf(BRIEF)
  })
  seed.file('image/png', 'east elevation.png', { parent: drawings, bytes: Uint8Array.of(0x89, 0x50, 0x4e, 0x47) })
  seed.native('presentation', 'Concept for the jury', {
    parent: drawings,
    text: 'Light from the north\n\nA reading room for tides\n'
  })
  seed.file('text/html', 'site-diary.html', {
    parent: library,
    text: DIARY,
    daysAgo: 41
  })
  const personal = seed.folder('Personal')
  for (const { name, text } of RECIPES) seed.file('text/plain', name, { parent: personal, text })
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

function fillPrivate(seed: AccountSeed): void {
  const house = seed.folder('House')
  const trips = seed.folder('Trips')
  const year = seed.folder('2025', trips)
  for (const { name, text } of FAMILY) seed.native('document', name, { parent: house, text })
  seed.file('text/plain', 'packing list.txt', {
    parent: year,
    text: 'Rain coats, the blue tent, a spare key for Ines.'
  })
  seed.native('spreadsheet', 'Costs of the trip', { parent: year, text: 'item,euro\nferry,210\ntent,149\n' })
}

/** Shown to people and written into files: none of it may do more than be text. */
function fillHostile(seed: AccountSeed): void {
  const parent = seed.folder(HOSTILE_NAMES[0] ?? '')
  HOSTILE_NAMES.forEach((name, i) => {
    seed.file('text/plain', name, { parent, text: `The file number ${i} says: ${name.slice(0, 200)}` })
    seed.folder(name, parent)
  })
}
