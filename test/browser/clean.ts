import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** What the colour scheme changes: all else was looked at in the light. */
const ofColors = ['color-contrast', 'link-in-text-block']

/** axe finds nothing on the page as it is, in both colour schemes. */
export async function clean(page: Page, what: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme)
    // The colours of the scheme come some frames later: what axe finds must stay to count.
    const look = () =>
      (colorScheme === 'light'
        ? new AxeBuilder({ page })
        : new AxeBuilder({ page }).withRules(ofColors)
      ).analyze()
    await expect(async () => expect((await look()).violations, `${what}, ${colorScheme}`).toEqual([])).toPass(
      { timeout: 30_000 },
    )
  }
}
