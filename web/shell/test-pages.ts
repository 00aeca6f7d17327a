import { afterAll, beforeAll } from 'vitest'
import { type Page, pageKeys, pages } from './pages.ts'

/** For tests of menus and start pages: in this file or block, all pages are as if they were built. */
export function withAllPagesBuilt(): void {
  const notBuilt = pageKeys.map((key): Page => pages[key]).filter(({ isBuilt }) => isBuilt === false)
  beforeAll(() => notBuilt.forEach((page) => delete page.isBuilt))
  afterAll(() => notBuilt.forEach((page) => void (page.isBuilt = false)))
}
