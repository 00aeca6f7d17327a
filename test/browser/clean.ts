import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import { expect, type Page } from '@playwright/test'

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** What the color scheme changes. */
const colorRules = ['color-contrast', 'link-in-text-block']
interface Options {
  runOnly?: string[]
  rules?: Record<string, { enabled: boolean }>
}

/** What axe finds on the page, in one text each. The page holds axe from the first time on. */
async function violationsOn(page: Page, options: Options): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource)
  return page.evaluate(async (axeOptions) => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(
      // The attribution is the map library's own.
      { exclude: [['.maplibregl-ctrl-attrib']] },
      { ...axeOptions, resultTypes: ['violations'], preload: false, iframes: false },
    )
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
    )
  }, options)
}

/**
 * Expects that axe finds nothing on the page in both color schemes: all rules in the scheme it has, those of color
 * in the other one. The page stays in that one, because each change draws maps again.
 */
export async function expectClean(page: Page, what: string, without: string[] = []): Promise<void> {
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)
  for (const colorScheme of isDark ? (['dark', 'light'] as const) : (['light', 'dark'] as const)) {
    const isFirst = (colorScheme === 'dark') === isDark
    await page.emulateMedia({ colorScheme })
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme)
    const options = isFirst
      ? { rules: Object.fromEntries(without.map((rule) => [rule, { enabled: false }])) }
      : { runOnly: colorRules }
    // Colors of the scheme may arrive some frames later.
    await expect(async () =>
      expect(await violationsOn(page, options), `${what}, ${colorScheme}`).toEqual([]),
    ).toPass({ timeout: 30_000 })
  }
}
