import { CARD_STYLE, THEME } from '../pages/card-style.ts'

/** The style of the page that documents the API. */
export const PAGE_STYLE = `${THEME}.skip { position: absolute; left: -99rem; top: .5rem; background: var(--ground); padding: .5rem 1rem; z-index: 1 }
.skip:focus { left: .5rem }
.page { display: grid; grid-template-columns: 17rem minmax(0, 1fr); max-width: 78rem; margin: 0 auto }
nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; padding: 2rem 1rem 2rem 1.5rem; font-size: .9rem }
nav ul { list-style: none; margin: 0; padding: 0 }
nav > ul > li { margin-bottom: 1rem }
nav > ul > li > a { font-weight: 600; color: var(--text) }
nav ul ul { margin-top: .25rem }
nav a { display: block; padding: .2rem 0; text-decoration: none; line-height: 1.35 }
nav a:hover { text-decoration: underline }
main { min-width: 0; padding: 2rem 1.5rem 5rem; border-left: 1px solid var(--line) }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 }
.version { color: var(--quiet); font-weight: 400; font-size: 1rem }
.lead { color: var(--quiet); margin-top: .25rem; max-width: 44rem }
header p, article > p { max-width: 44rem }
h2 { font-size: 1.5rem; line-height: 1.25; margin: 3.5rem 0 0; padding-top: 1.5rem; border-top: 1px solid var(--line) }
article { margin-top: 2.5rem }
h3 { font-size: 1.15rem; line-height: 1.3; margin: 0 }
h3 a { color: inherit; text-decoration: none }
h3 a:hover { text-decoration: underline }
h4 { font-size: .95rem; margin: 1.25rem 0 .35rem }
article:target > h3 a, tr:target code { background: var(--target); box-shadow: 0 0 0 .25rem var(--target); border-radius: 2px }
h3 + .members, h3 + .shape { margin-top: .5rem }
.line { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin: .5rem 0 }
.line .path { background: none; padding: 0; font-size: 1rem; overflow-wrap: anywhere }
.method { font: 700 .8rem/1 ui-monospace, monospace; border: 1.5px solid currentColor; border-radius: 4px; padding: .25rem .4rem }
.get { color: var(--get) } .post { color: var(--post) } .patch { color: var(--patch) } .delete { color: var(--delete) }
.access { font-size: .8rem; line-height: 1; color: var(--quiet); border: 1px solid var(--line); border-radius: 1rem; padding: .3rem .6rem }
.members { list-style: none; margin: 0; padding: 0; border: 1px solid var(--line); border-radius: 6px }
.members li { padding: .5rem .75rem; border-top: 1px solid var(--line) }
.members li:first-child { border-top: 0 }
.members p { margin: .15rem 0 0; color: var(--quiet) }
.name { font-weight: 600 }
.type { color: var(--quiet); font-size: .9rem; overflow-wrap: anywhere }
.must, .may { font-size: .8rem; white-space: nowrap }
.must { color: var(--delete) }
.may { color: var(--quiet) }
.quiet { color: var(--quiet); font-size: .9rem; margin: .4rem 0 0 }
.shape { margin: .25rem 0 }
.media { color: var(--quiet); font: .85rem ui-monospace, monospace; overflow-wrap: anywhere }
h4 .media { font-weight: 400; margin-left: .25rem }
.reply { margin: .5rem 0 } .reply > p { margin: .25rem 0 .35rem }
.status { font: 700 .9rem ui-monospace, monospace; color: var(--get) }
.faults { font-size: .9rem; color: var(--quiet); margin-top: 1rem; max-width: none }
.faults a { display: inline-block; margin: .1rem .25rem .1rem 0; text-decoration: none }
.faults a:hover { text-decoration: underline; text-underline-offset: .35em }
pre { background: var(--raised); border: 1px solid var(--line); border-radius: 6px; padding: .75rem 1rem; margin: 0; overflow-x: auto; line-height: 1.5 }
.wide { overflow-x: auto }
table { border-collapse: collapse; width: 100%; font-size: .95rem }
th, td { text-align: left; vertical-align: top; padding: .45rem .75rem .45rem 0; border-bottom: 1px solid var(--line); font-weight: 400 }
thead th { font-weight: 600 }
@media (max-width: 60rem) {
  .page { display: block }
  nav { position: static; max-height: none; padding: 1rem 1rem 0 }
  nav > ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem }
  nav > ul > li { margin: 0 }
  nav ul ul { display: none }
  nav a { padding: .4rem 0 }
  main { border-left: 0; padding: 1rem 1rem 4rem }
}
@media print {
  nav, .skip { display: none }
  .page { display: block }
  main { border: 0; padding: 0 }
  article, tr, pre { break-inside: avoid }
  h2, h3, h4 { break-after: avoid }
  pre { white-space: pre-wrap; overflow-wrap: anywhere }
}
`

/** All styles of the server's pages. The content security policy allows these and no others. */
export const PAGE_STYLES: readonly string[] = [PAGE_STYLE, CARD_STYLE]
