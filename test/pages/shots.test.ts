import { test } from 'vitest'
import { outcomePage } from '../../server/http/pages/outcome-page.ts'
import { HOSTILE_NAMES, HOSTILE_OUTCOMES, NAMES, OUTCOMES } from './outcomes.ts'
import { openBrowser } from './sandbox-browser.ts'
test('shots', async () => {
  const b = await openBrowser()
  for (const [scheme, width] of [['light', 900], ['dark', 900], ['light', 340], ['dark', 340]] as const) {
    const page = await b.newPage({ viewport: { width, height: 760 }, colorScheme: scheme })
    for (const [name, o] of Object.entries({ ...OUTCOMES, hostile: HOSTILE_OUTCOMES.asks })) {
      await page.setContent(outcomePage(o, name === 'hostile' ? HOSTILE_NAMES : NAMES).page)
      await page.screenshot({ path: `/tmp/H/${name}-${scheme}-${width}.png`, fullPage: width === 340 })
    }
  }
  await b.close()
}, 60000)
