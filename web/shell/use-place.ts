import { useLocation } from '@tanstack/react-router'
import { hasProduct } from './features.ts'
import { type PageKey, type Product, pageKeys, pages } from './pages.ts'
import { productAt } from './product-at.ts'
import { useStanding } from './use-standing.ts'

const partsOf = (path: string): string[] => path.split('/').filter(Boolean)
const matches = (parts: readonly string[], here: readonly string[]): boolean =>
  parts.length <= here.length && parts.every((part, at) => part.startsWith('$') || part === here[at])

/** The most said of a path comes first, a named part before one that stands for any. */
const byDetail = pageKeys
  .map((key) => ({ key, parts: partsOf(pages[key].path) }))
  .sort(
    (a, b) =>
      b.parts.length - a.parts.length ||
      Number(a.parts.some((part) => part.startsWith('$'))) -
        Number(b.parts.some((part) => part.startsWith('$'))),
  )

/** The page that an address shows, or that it is below. */
export function pageAt(pathname: string): PageKey | null {
  const here = partsOf(pathname).slice(1)
  return byDetail.find(({ parts }) => matches(parts, here))?.key ?? null
}

/** Where one is: the product, which outside of both is the first that is on, and the page. */
export function usePlace(): { product: Product; page: PageKey | null } {
  const pathname = useLocation({ select: (location) => location.pathname })
  const standing = useStanding()
  const first =
    standing && !hasProduct(standing, 'mobility') && hasProduct(standing, 'curb') ? 'curb' : 'mobility'
  return { product: productAt(pathname) ?? first, page: pageAt(pathname) }
}
