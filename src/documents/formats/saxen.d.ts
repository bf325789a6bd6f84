/** The package ships no types. */
declare module 'saxen' {
  /**
   * An XML parser that reports events. It expands no entities and loads nothing. Throws on malformed XML unless an
   * error handler is set.
   */
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
