import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import { expect, type Page } from '@playwright/test'

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** Rules that depend on the color scheme. */
const colorRules = ['color-contrast', 'link-in-text-block']
interface Options {
  runOnly?: string[]
  rules?: Record<string, { enabled: boolean }>
}

/** Returns the findings of axe on the page, one text each. The page loads axe once. */
async function findViolations(page: Page, options: Options): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource)
  return page.evaluate(async (axeOptions) => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(
      // The attribution belongs to the map library.
      { exclude: [['.maplibregl-ctrl-attrib']] },
      { ...axeOptions, resultTypes: ['violations'], preload: false, iframes: false },
    )
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
    )
  }, options)
}

/** Expects no findings of axe: all rules in the current color scheme, color rules in the other, which remains. */
export async function expectClean(page: Page, what: string, without: string[] = []): Promise<void> {
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)
  for (const colorScheme of isDark ? (['dark', 'light'] as const) : (['light', 'dark'] as const)) {
    const isFirst = (colorScheme === 'dark') === isDark
    await page.emulateMedia({ colorScheme })
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme)
    const options = isFirst
      ? { rules: Object.fromEntries(without.map((rule) => [rule, { enabled: false }])) }
      : { runOnly: colorRules }
    // Colors of the scheme are applied with the next frames, at times later.
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    )
    await expect(async () =>
      expect(await findViolations(page, options), `${what}, ${colorScheme}`).toEqual([]),
    ).toPass({ timeout: 30_000 })
  }
}
