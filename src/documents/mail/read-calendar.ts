/*
 * Not a library: what an invitation says is a dozen properties, which these lines read without evaluating recurrences or
 * time zones. No iCalendar package is among the dependencies.
 */

/** Limits of one calendar object: events, attendees of one, and UTF-16 code units of a value. */
const EVENTS_MAX = 20
const ATTENDEES_MAX = 100
const VALUE_MAX = 2000

/**
 * Reads the events of a calendar object (RFC 5545, with the methods of RFC 5546) as lines of fields: what is planned,
 * when with its time zone, where, who invites, and who has answered what. `stated` is the method that the part of the
 * message names, if the object has none.
 */
export function readCalendar(text: string, stated = ''): string {
  const properties = text
    .replace(/\r\n?/g, '\n')
    .replace(/\n[ \t]/g, '')
    .split('\n')
    .flatMap((line) => parseProperty(line) ?? [])
  const method = properties.find(({ name }) => name === 'METHOD')?.value ?? stated
  return listEvents(properties)
    .slice(0, EVENTS_MAX)
    .map((event) => writeEvent(event, method.toUpperCase()))
    .filter((lines) => lines !== '')
    .join('\n\n')
}

type Property = { name: string; parameters: ReadonlyMap<string, string>; value: string }

/** Parses a line such as `DTSTART;TZID="Europe/Berlin":20260303T100000`. */
function parseProperty(line: string): Property | undefined {
  const [, name = '', rest = '', value = ''] =
    /^([A-Za-z-]{1,60})((?:;[A-Za-z-]{1,60}=(?:"[^"]*"|[^";:,]*)(?:,(?:"[^"]*"|[^";:,]*))*)*):(.*)$/s.exec(line) ?? []
  if (name === '') return undefined
  const parameters = [...rest.matchAll(/;([A-Za-z-]+)=("[^"]*"|[^";:]*)/g)].map(
    ([, key = '', said = '']) => [key.toUpperCase(), said.replaceAll('"', '')] as const
  )
  return { name: name.toUpperCase(), parameters: new Map(parameters), value: value.slice(0, VALUE_MAX) }
}

/** Lists the properties of each event, without those of the components inside it, such as alarms. */
function listEvents(properties: readonly Property[]): Property[][] {
  const events: Property[][] = []
  const open: string[] = []
  for (const property of properties) {
    const component = property.value.toUpperCase()
    if (property.name === 'BEGIN') {
      open.push(component)
      if (component === 'VEVENT') events.push([])
    } else if (property.name === 'END') open.pop()
    else if (open.at(-1) === 'VEVENT') events.at(-1)?.push(property)
  }
  return events
}

/** What the methods of RFC 5546 mean, as the name of the first field. */
const METHODS: Readonly<Record<string, string>> = {
  REQUEST: 'Invitation',
  CANCEL: 'Cancelled',
  REPLY: 'Reply to the invitation',
  COUNTER: 'Proposed change',
  PUBLISH: 'Event'
}

function writeEvent(event: readonly Property[], method: string): string {
  const find = (name: string) => event.find((property) => property.name === name)
  const isCancelled = find('STATUS')?.value.toUpperCase() === 'CANCELLED'
  const attendees = event.filter(({ name }) => name === 'ATTENDEE').slice(0, ATTENDEES_MAX)
  const fields: readonly (readonly [string, string])[] = [
    [isCancelled ? 'Cancelled' : (METHODS[method] ?? 'Event'), readText(find('SUMMARY'))],
    ['Start', readTime(find('DTSTART'))],
    ['End', readTime(find('DTEND'))],
    ['Duration', find('DTEND') === undefined ? readText(find('DURATION')) : ''],
    ['Repeats', readText(find('RRULE'))],
    ['Location', readText(find('LOCATION'))],
    ['Organizer', readPerson(find('ORGANIZER'))],
    ['Attendees', attendees.map(readAttendee).join(', ')],
    ['Comment', readText(find('COMMENT'))]
  ]
  return fields
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
}

/** Returns a text value as one line: RFC 5545 section 3.3.11 escapes commas, semicolons and line ends. */
function readText(property: Property | undefined): string {
  const value = property?.value ?? ''
  return value
    .replace(/\\([\\;,nN])/g, (_, sign: string) => (/n/i.test(sign) ? ' ' : sign))
    .replace(/\s+/g, ' ')
    .trim()
}

/** Writes a time with its zone: `2026-03-03 10:00 Europe/Berlin`, or a whole day as `2026-03-03`. */
function readTime(property: Property | undefined): string {
  const [, year, month, day, hour, minute, utc] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d(Z?))?$/.exec(property?.value.trim() ?? '') ?? []
  if (year === undefined) return ''
  const date = `${year}-${month}-${day}`
  if (hour === undefined) return date
  const zone = utc === 'Z' ? 'UTC' : (property?.parameters.get('TZID') ?? '')
  return [date, `${hour}:${minute}`, zone].filter((part) => part !== '').join(' ')
}

function readPerson(property: Property | undefined): string {
  if (property === undefined) return ''
  const address = property.value.replace(/^mailto:/i, '').trim()
  const name = property.parameters.get('CN')?.trim() ?? ''
  return name === '' || name === address ? address : `${name} <${address}>`
}

/** Answers of attendees (RFC 5545 section 3.2.12). */
const ANSWERS: Readonly<Record<string, string>> = {
  'NEEDS-ACTION': 'no answer',
  ACCEPTED: 'accepted',
  DECLINED: 'declined',
  TENTATIVE: 'tentative',
  DELEGATED: 'delegated'
}

function readAttendee(property: Property): string {
  const answer = ANSWERS[property.parameters.get('PARTSTAT')?.toUpperCase() ?? '']
  return answer === undefined ? readPerson(property) : `${readPerson(property)} (${answer})`
}
