/** The package ships no types. */
declare module 'saxen' {
  /** A parser of XML that reports what it meets. It expands no entities and loads nothing. Throws on broken XML unless there is a handler of errors. */
  export class Parser {
    on(event: 'openTag', handle: (name: string, attributes: () => Record<string, string>) => void): this
    on(event: 'closeTag', handle: (name: string) => void): this
    on(event: 'text' | 'cdata', handle: (text: string) => void): this
    on(event: 'error', handle: (error: Error) => void): this
    parse(xml: string): this
    /** Ends the parsing after the current event. */
    stop(): void
  }
}
