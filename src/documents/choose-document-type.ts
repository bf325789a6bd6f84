import type { DocumentType } from './port/document-reader.ts'

/** How a file is read, or why it is skipped, as half a sentence. */
export type DocumentChoice = { type: DocumentType } | { skipped: string }

/** Chooses how a file is read, by the type that its source names and, if that says little, by the ending of its name. */
export function chooseDocumentType({ mimeType, name }: { mimeType: string; name: string }): DocumentChoice {
  const [said = ''] = mimeType.toLowerCase().split(';')
  const mime = said.trim()
  const ending = /\.([a-z0-9_+-]{1,12})$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  if (VAGUE.has(mime)) return chooseByEnding(ending, mime)
  const type = TYPES.get(mime)
  if (type !== undefined) return { type }
  // Browsers on Windows call a CSV file a workbook.
  if (mime === 'application/vnd.ms-excel' && (ending === 'csv' || ending === 'tsv')) return { type: 'csv' }
  const old = OLD_FORMATS.get(mime)
  if (old !== undefined) return { skipped: old }
  if (mime.startsWith('text/') || isTextual(mime)) return { type: 'text' }
  return { skipped: explainSkipped(mime) }
}

/** Types that say nothing about the content. */
const VAGUE = new Set(['', 'application/octet-stream', 'application/x-download', 'binary/octet-stream'])

function chooseByEnding(ending: string, mimeType: string): DocumentChoice {
  const type = ENDINGS.get(ending)
  if (type !== undefined) return { type }
  const old = OLD_ENDINGS.get(ending)
  return { skipped: old === undefined ? explainSkipped(mimeType) : (OLD_FORMATS.get(old) ?? explainSkipped(old)) }
}

const OFFICE = 'application/vnd.openxmlformats-officedocument.'
const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument.'

const TYPES: ReadonlyMap<string, DocumentType> = new Map([
  ['application/pdf', 'pdf'],
  [`${OFFICE}wordprocessingml.document`, 'docx'],
  [`${OFFICE}spreadsheetml.sheet`, 'xlsx'],
  [`${OFFICE}presentationml.presentation`, 'pptx'],
  [`${OFFICE}presentationml.slideshow`, 'pptx'],
  [`${OPEN_DOCUMENT}text`, 'odf'],
  [`${OPEN_DOCUMENT}spreadsheet`, 'odf'],
  [`${OPEN_DOCUMENT}presentation`, 'odf'],
  ['application/epub+zip', 'epub'],
  ['message/rfc822', 'eml'],
  ['application/rtf', 'rtf'],
  ['text/rtf', 'rtf'],
  ['text/html', 'html'],
  ['application/xhtml+xml', 'html'],
  ['text/markdown', 'markdown'],
  ['text/x-markdown', 'markdown'],
  ['text/csv', 'csv'],
  ['text/tab-separated-values', 'csv']
])

const OLD_FORMATS: ReadonlyMap<string, string> = new Map([
  ['application/msword', 'it is in the old format of Word, which is not supported: save it as .docx'],
  ['application/vnd.ms-excel', 'it is in the old format of Excel, which is not supported: save it as .xlsx'],
  ['application/vnd.ms-powerpoint', 'it is in the old format of PowerPoint, which is not supported: save it as .pptx']
])

const OLD_ENDINGS: ReadonlyMap<string, string> = new Map([
  ['doc', 'application/msword'],
  ['xls', 'application/vnd.ms-excel'],
  ['ppt', 'application/vnd.ms-powerpoint']
])

/** Checks whether a type outside of `text/` is text: data formats and source code. */
function isTextual(mimeType: string): boolean {
  return /^application\/.*\+(json|xml|yaml)$/.test(mimeType) || TEXTUAL.has(mimeType.replace(/^application\/(x-)?/, ''))
}

const TEXTUAL = new Set(
  'json jsonl ndjson xml yaml toml sql javascript ecmascript typescript sh shellscript csh perl python ruby php httpd-php httpd-php-source tex latex subrip graphql'.split(
    ' '
  )
)

/** Endings of text and source code. */
const PLAIN_ENDINGS =
  'txt text log json jsonl ndjson xml yaml yml toml ini cfg conf properties env rst adoc asciidoc org tex bib srt vtt ics vcf diff patch sql graphql proto js mjs cjs jsx ts mts cts tsx vue svelte css scss sass less py pyi rb php pl pm sh bash zsh fish ps1 bat c h cc cpp cxx hh hpp cs java kt kts scala groovy gradle swift m mm go rs zig nim lua r jl ex exs erl hrl hs ml mli fs fsx clj cljs lisp el scm dart tf hcl cmake mk ipynb'.split(
    ' '
  )

const ENDINGS: ReadonlyMap<string, DocumentType> = new Map<string, DocumentType>([
  ...PLAIN_ENDINGS.map((ending) => [ending, 'text'] as const),
  ...(['pdf', 'docx', 'xlsx', 'pptx', 'epub', 'eml', 'rtf', 'csv', 'html'] as const).map(
    (ending) => [ending, ending] as const
  ),
  ['ppsx', 'pptx'],
  ['odt', 'odf'],
  ['ods', 'odf'],
  ['odp', 'odf'],
  ['htm', 'html'],
  ['xhtml', 'html'],
  ['md', 'markdown'],
  ['markdown', 'markdown'],
  ['tsv', 'csv']
])

function explainSkipped(mimeType: string): string {
  const kind = /^(image|video|audio)\//.exec(mimeType)?.[1]
  if (kind !== undefined) return `it is ${kind === 'video' ? 'a' : 'an'} ${kind}, which has no text`
  return `files of the type ${mimeType.replace(/[^\w./+-]/g, '').slice(0, 80)} are not supported`
}
