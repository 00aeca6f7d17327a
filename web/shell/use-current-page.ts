import { useLocation } from '@tanstack/react-router'
import { hasProduct } from './features.ts'
import { type PageKey, type Product, pageKeys, pages } from './pages.ts'
import { productAt } from './product-at.ts'
import { useAccessContext } from './use-access-context.ts'

const pathSegments = (path: string): string[] => path.split('/').filter(Boolean)
const matches = (parts: readonly string[], here: readonly string[]): boolean =>
  parts.length <= here.length && parts.every((part, at) => part.startsWith('$') || part === here[at])

/** The most said of a path comes first, a named part before one that stands for any. */
const pagesBySpecificity = pageKeys
  .map((key) => ({ key, parts: pathSegments(pages[key].path) }))
  .sort(
    (a, b) =>
      b.parts.length - a.parts.length ||
      Number(a.parts.some((part) => part.startsWith('$'))) -
        Number(b.parts.some((part) => part.startsWith('$'))),
  )

/** The page that an address shows, or that it is below. */
export function pageAt(pathname: string): PageKey | null {
  const here = pathSegments(pathname).slice(1)
  return pagesBySpecificity.find(({ parts }) => matches(parts, here))?.key ?? null
}

/** Where one is: the product, which outside of both is the first that is on, and the page. */
export function useCurrentPage(): { product: Product; page: PageKey | null } {
  const pathname = useLocation({ select: (location) => location.pathname })
  const access = useAccessContext()
  const first = access && !hasProduct(access, 'mobility') && hasProduct(access, 'curb') ? 'curb' : 'mobility'
  return { product: productAt(pathname) ?? first, page: pageAt(pathname) }
}
