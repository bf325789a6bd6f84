/** The colours and fonts of all pages of the server, light and dark. */
export const THEME = `
:root {
  color-scheme: light dark;
  --ground: #ffffff; --raised: #f5f6f8; --line: #dde1e7; --text: #1c2430; --quiet: #566070; --link: #0a56b8;
  --get: #0b6b3a; --post: #0a56b8; --patch: #8a4b00; --delete: #b3261e; --code: #f1f3f6; --target: #fdeeb5;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #12161c; --raised: #1a2029; --line: #303945; --text: #e4e8ee; --quiet: #a3adba; --link: #84b8ff;
    --get: #6fd39b; --post: #84b8ff; --patch: #f0b35e; --delete: #ff9d94; --code: #1f2732; --target: #4d4213;
  }
}
* { box-sizing: border-box }
html { scroll-padding-top: 1rem }
body { margin: 0; background: var(--ground); color: var(--text); font: 1rem/1.55 system-ui, sans-serif }
a { color: var(--link); text-underline-offset: .15em }
a:focus-visible, [tabindex]:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 2px }
code, pre { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .9em }
p code, li p code, td code { background: var(--code); border-radius: 3px; padding: .1em .3em; overflow-wrap: anywhere }
`

/** The style of pages with one message. */
export const CARD_STYLE = `${THEME}
body { min-height: 100vh; display: flex; flex-direction: column; align-items: center; padding: 8vh 1rem 2rem; background: var(--raised) }
header { font-weight: 700; letter-spacing: .01em; margin: 0 0 1rem; color: var(--quiet) }
main { width: 100%; max-width: 45rem; background: var(--ground); border: 1px solid var(--line); border-radius: 12px; padding: 2rem; box-shadow: 0 1px 2px rgb(0 0 0 / .05), 0 8px 24px rgb(0 0 0 / .06) }
.mark { display: block; width: 2.75rem; height: 2.75rem; margin-bottom: 1rem }
.good { color: var(--get) } .bad { color: var(--delete) } .warn { color: var(--patch) } .calm { color: var(--quiet) } .ask { color: var(--post) }
h1 { font-size: 1.5rem; line-height: 1.25; letter-spacing: -.01em; margin: 0 0 .6rem; overflow-wrap: anywhere; text-wrap: balance }
h2 { font-size: 1rem; line-height: 1.4; margin: 1.5rem 0 .25rem }
p { margin: .35rem 0 0; overflow-wrap: anywhere; text-wrap: pretty }
dl { margin: 1.25rem 0 0; border: 1px solid var(--line); border-radius: 8px }
dl div { display: grid; grid-template-columns: 9rem minmax(0, 1fr); gap: .75rem; padding: .55rem .85rem; border-top: 1px solid var(--line) }
dl div:first-child { border-top: 0 }
dt { color: var(--quiet) }
dd { margin: 0; font-weight: 600; overflow-wrap: anywhere }
pre { background: var(--code); border: 1px solid transparent; border-radius: 6px; padding: .6rem .8rem; margin: .5rem 0 0; white-space: pre-wrap; overflow-wrap: anywhere; font-size: .85em; line-height: 1.45 }
pre code { display: block; font-size: 1em; user-select: all }
pre code + code { margin-top: .35rem }
.note { border-left: 3px solid var(--patch); background: var(--raised); border-radius: 0 6px 6px 0; padding: .75rem 1rem; margin-top: 1.25rem }
.note p:first-child { margin-top: 0 }
form { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.5rem }
button { font: inherit; font-weight: 600; min-height: 2.75rem; padding: .5rem 1.25rem; border-radius: 8px; border: 1.5px solid var(--link); cursor: pointer; flex: 1 1 10rem }
button[value="approve"] { background: var(--link); color: var(--ground) }
button[value="deny"] { background: var(--ground); color: var(--text); border-color: var(--quiet) }
button:hover { filter: brightness(1.08) }
button:focus-visible { outline: 3px solid var(--link); outline-offset: 2px }
.quiet { color: var(--quiet); font-size: .9rem; margin-top: 1.25rem }
@media (prefers-color-scheme: dark) {
  body { background: var(--ground) }
  main { background: var(--raised) }
  .note { background: var(--ground) }
}
@media (forced-colors: active) { .mark { color: CanvasText } }
@media (max-width: 30rem) {
  body { padding: 1.5rem .75rem }
  main { padding: 1.25rem; border-radius: 10px }
  dl div { grid-template-columns: minmax(0, 1fr); gap: 0 }
}
`
