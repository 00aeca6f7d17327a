import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** axe finds nothing on the page as it is, in both colour schemes. */
export async function clean(page: Page, what: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme)
    // The colours of the scheme come some frames later: what axe finds must stay to count.
    await expect(async () => expect((await new AxeBuilder({ page }).analyze()).violations, `${what}, ${colorScheme}`).toEqual([])).toPass({ timeout: 10_000 })
  }
}
