import type { FormatFacts } from '../../port/format.ts'

/** https://docs.basicmemory.com/guides/knowledge-format: Markdown with a permalink, observations and relations. */
export const FACTS: FormatFacts = {
  id: 'basic_memory',
  name: 'a project of basic-memory',
  markers: [
    { path: /\.md$/i, head: [/^---\r?\n[\s\S]{0,2000}?\npermalink: /, /^- \[[^\]\s][^\]]*\] \S|^- [^[\n]+ \[\[/m] }
  ],
  edits: true
}

/** `- [category] text #tag (context)`, but not a task, such as `- [x] text`. */
export const OBSERVATION = /^- \[([^\]\s][^\]]+)\] (.+?)(?:\s+\([^()]*\))?$/

/** `- relation [[Target]] (context)`. */
export const RELATION = /^- ([^[\n]{1,200}?) \[\[([^[\]|]{1,500})(?:\|[^[\]]*)?\]\]/
