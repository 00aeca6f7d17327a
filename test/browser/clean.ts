import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** What the color scheme changes: everything else is checked in the light one. */
const colorRules = ['color-contrast', 'link-in-text-block']

/** Expects that axe finds nothing on the page in both color schemes, and leaves the page in the light one. */
export async function expectClean(page: Page, what: string, without: string[] = []): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme)
    // The attribution is the map library's own. Legacy mode checks in the page itself instead of opening a second one.
    const axe = new AxeBuilder({ page }).exclude('.maplibregl-ctrl-attrib').setLegacyMode()
    const rules =
      colorScheme === 'light'
        ? { rules: Object.fromEntries(without.map((rule) => [rule, { enabled: false }])) }
        : { runOnly: colorRules }
    axe.options({ ...rules, resultTypes: ['violations'] })
    // Colors of the scheme may arrive some frames later.
    await expect(async () =>
      expect((await axe.analyze()).violations, `${what}, ${colorScheme}`).toEqual([]),
    ).toPass({ timeout: 30_000 })
  }
  await page.emulateMedia({ colorScheme: 'light' })
}
