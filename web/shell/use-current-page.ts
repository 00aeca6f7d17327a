import { useLocation } from '@tanstack/react-router'
import { hasProduct } from './features.ts'
import { type PageKey, type Product, pageKeys, pages } from './pages.ts'
import { productAt } from './title.ts'
import { useAccessContext } from './use-access-context.ts'

const pathSegments = (path: string): string[] => path.split('/').filter(Boolean)
const matchesStart = (parts: readonly string[], segments: readonly string[]): boolean =>
  parts.length <= segments.length &&
  parts.every((part, index) => part.startsWith('$') || part === segments[index])

/** Pages in the order of matching: longer paths first, and static segments before parameters. */
const pagesBySpecificity = pageKeys
  .map((key) => ({ key, parts: pathSegments(pages[key].path) }))
  .sort(
    (a, b) =>
      b.parts.length - a.parts.length ||
      Number(a.parts.some((part) => part.startsWith('$'))) -
        Number(b.parts.some((part) => part.startsWith('$'))),
  )

/** Returns the page of a path, or of its nearest parent; null if there is none. */
export function pageAt(pathname: string): PageKey | null {
  const segments = pathSegments(pathname).slice(1)
  return pagesBySpecificity.find(({ parts }) => matchesStart(parts, segments))?.key ?? null
}

/** The product and page of the URL. Outside of both products, the product is the first enabled one. */
export function useCurrentPage(): { product: Product; page: PageKey | null } {
  const pathname = useLocation({ select: (location) => location.pathname })
  const access = useAccessContext()
  const defaultProduct =
    access && !hasProduct(access, 'mobility') && hasProduct(access, 'curb') ? 'curb' : 'mobility'
  return { product: productAt(pathname) ?? defaultProduct, page: pageAt(pathname) }
}
