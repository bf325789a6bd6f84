/** An element as text: what stands in its tag, and between its tags. */
export type Element = { attributes: string; inner: string }

/**
 * The elements of a name, in their order, of XML as programs write it into workbooks: these do not stand in one another. Prefixes of name spaces
 * count as nothing. What is no such XML gives fewer elements, never an error.
 */
export function elementsOf(xml: string, name: string): Element[] {
  const found: Element[] = []
  const open = new RegExp(`<(?:\\w+:)?${name}(\\s[^<>]*?)?(/?)>`, 'g')
  const close = new RegExp(`</(?:\\w+:)?${name}\\s*>`, 'g')
  for (let tag = open.exec(xml); tag !== null; tag = open.exec(xml)) {
    if (tag[2] === '/') {
      found.push({ attributes: tag[1] ?? '', inner: '' })
      continue
    }
    close.lastIndex = open.lastIndex
    const end = close.exec(xml)
    if (end === null) return found
    found.push({ attributes: tag[1] ?? '', inner: xml.slice(open.lastIndex, end.index) })
    open.lastIndex = close.lastIndex
  }
  return found
}

/** The attributes of a tag by their names, prefixes of name spaces included. */
export function attributesOf(text: string): Record<string, string | undefined> {
  const pairs = [...text.matchAll(/([\w:]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)]
  return Object.fromEntries(pairs.map(([, name, one, other]) => [name, decoded(one ?? other ?? '')]))
}

/** What the `t` elements of a cell or a shared text say together; how they are to be pronounced is left out. */
export function textIn(xml: string): string {
  const spoken = xml.includes('<rPh') ? xml.replace(/<rPh[\s>][\s\S]*?<\/rPh>/g, '') : xml
  return elementsOf(spoken, 't')
    .map(({ inner }) => decoded(inner))
    .join('')
}

/** Without entities, of which XML has five, and characters by number. Others stay as they are: nothing is ever looked up. */
export function decoded(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos));/gi, (whole, ...found: string[]) => {
    const [decimal, hex, name] = found
    if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? whole
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
