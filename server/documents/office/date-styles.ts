import { attributesOf, elementsOf } from './xml-parts.ts'

/** Formats for dates and times that every workbook has (ECMA-376 part 1, section 18.8.30). */
const BUILT_IN = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 46, 47])

/** The places, in the list of cell styles, of those that show a number as a date or a time. */
export function dateStyles(styles: string): Set<number> {
  const own = elementsOf(styles, 'numFmt').flatMap(({ attributes }) => {
    const { numFmtId = '', formatCode = '' } = attributesOf(attributes)
    return isDateFormat(formatCode) ? [Number(numFmtId)] : []
  })
  const formats = new Set([...BUILT_IN, ...own])
  const cells = elementsOf(elementsOf(styles, 'cellXfs')[0]?.inner ?? '', 'xf')
  return new Set(
    cells.flatMap(({ attributes }, i) => (formats.has(Number(attributesOf(attributes).numFmtId)) ? [i] : []))
  )
}

/** It has letters for parts of a date outside of quotes, brackets and escapes. */
function isDateFormat(code: string): boolean {
  return /[ymdhs]/i.test(code.replace(/"[^"]*"|\[[^\]]*\]|\\./g, ''))
}
