import type { FormatFacts } from '../../port/format.ts'

/**
 * https://www.notion.com/help/export-your-content: pages as Markdown or HTML, and databases as CSV. Names end with the 32
 * hexadecimal digits of an id; the subpages of a page are in a folder with its name.
 */
export const FACTS: FormatFacts = {
  id: 'notion',
  name: 'an export of Notion',
  markers: [{ path: /(^|\/)[^/]* [0-9a-f]{32}(_all)?\.(md|html|csv)$/ }],
  edits: true
}

/** A page or database: its name, and its id. `_all` is a database with the rows that its view hides. */
export const NAME = /^(.*) ([0-9a-f]{32})(_all)?\.(md|html|csv)$/
