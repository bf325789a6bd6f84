import axe, { type AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

/** Measures pages as rendered. It asserts nothing. */

/** Returns the violations that axe-core finds by its rules for WCAG 2.2 AA and best practices, as `rule: element`. */
export async function complaintsOf(page: Page): Promise<string[]> {
  // Run by the debugger, it is not subject to the page's policy.
  await page.evaluate(axe.source)
  const { violations } = (await page.evaluate('axe.run(document)')) as AxeResults
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}

/** Returns the lowest contrast between any text and its background, by WCAG 2.2 (relative luminance). */
export async function leastContrast(page: Page): Promise<number> {
  return (await page.evaluate(CONTRAST)) as number
}

/** Returns the shortest side of all clickable elements in CSS pixels. The target of a choice is its label. */
export async function smallestTarget(page: Page): Promise<number> {
  return (await page.evaluate(TARGET)) as number
}

/** Returns the width of the page. If it exceeds the window, the page scrolls sideways. */
export async function widthOf(page: Page): Promise<number> {
  return (await page.evaluate('document.documentElement.scrollWidth')) as number
}

/** Returns the focused element. */
export async function focused(page: Page): Promise<{ name: string; value: string; outline: string }> {
  return (await page.evaluate(`(() => {
    const { name, value } = document.activeElement
    const outlined = document.activeElement.closest('label') ?? document.activeElement
    return { name, value, outline: getComputedStyle(outlined).outlineStyle }
  })()`)) as { name: string; value: string; outline: string }
}

const CONTRAST = `(() => {
  const parse = (color) => (color.match(/[\\d.]+/g) ?? []).map(Number)
  const light = ([r, g, b]) => [r, g, b].map((v) => v / 255)
    .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, at) => sum + v * [0.2126, 0.7152, 0.0722][at], 0)
  const behind = (node) => {
    for (let one = node; one; one = one.parentElement) {
      const color = parse(getComputedStyle(one).backgroundColor)
      if (color.length === 3 || color[3] === 1) return color
    }
    return [255, 255, 255]
  }
  const texts = [...document.querySelectorAll('body *')].filter((node) =>
    [...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim() !== ''))
  return Math.min(...texts.map((node) => {
    const pair = [light(parse(getComputedStyle(node).color)), light(behind(node))].sort((a, b) => b - a)
    return (pair[0] + 0.05) / (pair[1] + 0.05)
  }))
})()`

const TARGET = `Math.min(...[...document.querySelectorAll('a, button, label, input:not([type=hidden])')].map((node) => {
  const { width, height } = (node.closest('label') ?? node).getBoundingClientRect()
  return Math.min(width, height)
}))`
