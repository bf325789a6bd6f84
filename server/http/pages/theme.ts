/** Colours and letters of every page of the server, light and dark. */
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
