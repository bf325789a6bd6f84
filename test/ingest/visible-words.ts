import { readFileSync } from 'node:fs'
import { unzipSync } from 'fflate'

/**
 * The texts of people and assistants that a person sees in an export, read in the simplest way and without the code of the
 * converters, which these functions test.
 */
export const VISIBLE_TEXTS: Readonly<Record<string, (path: string) => string[]>> = {
  chatgpt: (path) =>
    [readJson(path)]
      .flat()
      .map(object)
      .flatMap(({ mapping }) =>
        Object.values(object(mapping)).flatMap((node) => {
          const { author, content, metadata } = object(object(node).message)
          const isShown =
            /^(user|assistant)$/.test(String(object(author).role)) &&
            object(metadata).is_visually_hidden_from_conversation !== true
          return isShown ? texts(object(content).parts) : []
        })
      ),
  claude: (path) =>
    list(readJson(path)).flatMap(({ chat_messages: messages }) =>
      list(messages).flatMap(({ content }) =>
        list(content).flatMap(({ type, text, transcript }) =>
          /^(text|voice_note)$/.test(String(type)) ? texts([text, transcript]) : []
        )
      )
    ),
  telegram: (path) =>
    list(object(readJson(path)).messages).map(({ text }) =>
      typeof text === 'string'
        ? text
        : (Array.isArray(text) ? text : []).map((part) => String(object(part).text ?? part)).join(' ')
    ),
  whatsapp: (path) =>
    readFileSync(path, 'utf8')
      .split(/^\d\d?\/\d\d?\/\d{2,4}, [^-\n]*- /m)
      .flatMap((message) => /^[^:\n]*:([\s\S]*)/.exec(message)?.[1] ?? []),
  slack: (path) =>
    Object.entries(unzipSync(readFileSync(path)))
      .filter(([name]) => /\/\d{4}-\d\d-\d\d\.json$/.test(name))
      .flatMap(([, bytes]) => list(JSON.parse(Buffer.from(bytes).toString())))
      .filter(({ subtype }) => !/^(channel_join|bot_add)$/.test(String(subtype)))
      .flatMap(({ text, attachments }) => [
        ...texts([text]),
        // A message with words of its own has previews of other pages.
        ...(text ? [] : list(attachments)).flatMap(({ pretext, title, text: body }) => texts([pretext, title, body]))
      ])
      // Addresses, and the ids of people and channels, are shown as names.
      .map((text) =>
        text
          .replace(/<[^>|]*\|([^>]*)>/g, ' $1 ')
          .replace(/<[@#!][^>]*>/g, ' ')
          .replace(/&(lt|gt|amp);/g, ' ')
      ),
  notion: (path) =>
    Object.values(unzipSync(readFileSync(path)))
      .flatMap((part) => Object.entries(unzipSync(part)))
      .filter(([name]) => /\.html$/.test(name) && !/(^|\/)index\.html$/.test(name))
      .map(([, bytes]) => readHtml(Buffer.from(bytes).toString())),
  mail: (path) => {
    const text = readFileSync(path, 'latin1').replace(/\r\n?/g, '\n')
    const [head = '', ...body] = text.split('\n\n')
    const isPlain = !/^content-(transfer-encoding|type):(?!\s*(7bit|text\/plain))/im.test(head)
    return isPlain && /^[\t\n -~]*$/.test(text) ? [body.join('\n\n')] : []
  }
}

/** Splits texts into their words, in lower case. */
export function toWords(all: readonly string[]): string[] {
  return all.flatMap(
    (text) =>
      text
        .normalize('NFC')
        .toLowerCase()
        .match(/[\p{L}\p{N}]+/gu) ?? []
  )
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'))
}

function readHtml(html: string): string {
  return html
    .replace(/^[\s\S]*<body[^>]*>/, '')
    .replace(/<(style|script|svg)[\s\S]*?<\/\1>/g, ' ')
    .replace(
      /<\/?(p|div|li|ul|ol|td|th|tr|h\d|br|summary|details|blockquote|pre|figure|a|header|time|table)\b[^>]*>/g,
      ' '
    )
    .replace(/<[^>]*>/g, '')
    .replace(/&#x27;|&#39;/g, "'")
    .replace(/&\w+;/g, ' ')
}

function object(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function list(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.map(object) : []
}

function texts(values: unknown): string[] {
  return Array.isArray(values) ? values.filter((value) => typeof value === 'string') : []
}
