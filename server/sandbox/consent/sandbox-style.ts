/** The style of every page of the sandbox. The policy of its pages allows only this one. */
export const SANDBOX_STYLE = `
:root {
  color-scheme: light dark;
  --ground: #eef1f5; --card: #ffffff; --line: #d3d9e2; --text: #1c2430; --quiet: #55606f; --accent: #0a56b8;
  --on-accent: #ffffff; --chosen: #edf4fe; --sign: #fff3d1; --sign-text: #553a00; --wrong: #b3261e;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0d1116; --card: #171d25; --line: #3a4452; --text: #e4e8ee; --quiet: #a3adba; --accent: #84b8ff;
    --on-accent: #08203f; --chosen: #1c2a3d; --sign: #3a2f10; --sign-text: #fbe3a3; --wrong: #ff9d94;
  }
}
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; background: var(--ground); color: var(--text); font: 1rem/1.5 system-ui, sans-serif }
header { padding: .6rem 1rem; background: var(--sign); color: var(--sign-text); text-align: center; font-size: .9rem }
main {
  max-width: 28rem; margin: clamp(0rem, 8vh, 5rem) auto 2rem; padding: 2rem; background: var(--card);
  border: 1px solid var(--line); border-radius: 12px; box-shadow: 0 1px 2px rgb(0 0 0 / .06), 0 8px 24px rgb(0 0 0 / .06)
}
.service { margin: 0; color: var(--quiet); font-weight: 600; font-size: .9rem }
h1 { margin: .15rem 0 1.5rem; font-size: 1.5rem; line-height: 1.25; letter-spacing: -.01em; text-wrap: balance }
h2, legend { margin: 0; padding: 0; font-size: 1rem; font-weight: 600; line-height: 1.5 }
fieldset { margin: 0 0 1.5rem; padding: 0; border: 0; min-width: 0 }
.account {
  display: flex; align-items: center; gap: .75rem; margin-top: .5rem; padding: .6rem .75rem; border: 1px solid var(--line);
  border-radius: 8px; cursor: pointer
}
.account:hover { border-color: var(--accent) }
.account:has(:checked) { border-color: var(--accent); background: var(--chosen); box-shadow: inset 0 0 0 1px var(--accent) }
.account:has(:focus-visible), button:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
input[type=radio] { flex: none; width: 1.15rem; height: 1.15rem; margin: 0; accent-color: var(--accent) }
input[type=radio]:focus-visible { outline: none }
.initial {
  flex: none; display: grid; place-items: center; width: 2.25rem; height: 2.25rem; border-radius: 50%;
  background: var(--ground); color: var(--quiet); font-weight: 600; font-size: .8rem; text-transform: uppercase
}
.account:has(:checked) .initial { background: var(--accent); color: var(--on-accent) }
.who { min-width: 0; line-height: 1.35 }
.name, .email { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; overflow-wrap: anywhere }
.name { font-weight: 600 }
.email { color: var(--quiet); font-size: .9rem; -webkit-line-clamp: 3 }
ul { margin: .35rem 0 0; padding-left: 1.25rem }
li { overflow-wrap: anywhere; text-wrap: pretty }
.buttons { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.75rem }
button {
  flex: 1 1 7rem; padding: .7rem 1rem; font: inherit; font-weight: 600; border: 1px solid var(--accent); border-radius: 8px;
  background: var(--accent); color: var(--on-accent); cursor: pointer
}
button:hover { filter: brightness(1.08) }
button.other { background: transparent; color: var(--text); border-color: var(--quiet) }
.quiet { margin: 1.25rem 0 0; color: var(--quiet); font-size: .9rem }
.address { color: var(--text); font-weight: 600; overflow-wrap: anywhere }
.complaint { margin: .25rem 0 .75rem; color: var(--wrong); font-weight: 600 }
@media (max-width: 32rem) {
  body { background: var(--card) }
  main { margin: 0; padding: 1.5rem 1.25rem; border: 0; border-radius: 0; box-shadow: none; max-width: none }
}
@media (max-width: 24rem) { .initial { display: none } }
@media (forced-colors: active) { .account:has(:checked) { outline: 2px solid } }
@media (prefers-reduced-motion: no-preference) { .account, button { transition: border-color .12s, background-color .12s } }
`
