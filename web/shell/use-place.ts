import { useLocation } from '@tanstack/react-router'
import { hasProduct } from './features.ts'
import { pageAt } from './page-at.ts'
import type { PageKey, Product } from './pages.ts'
import { productAt } from './product-at.ts'
import { useStanding } from './use-standing.ts'

/** Where one is: the product, which outside of both is the first that is on, and the page. */
export function usePlace(): { product: Product; page: PageKey | null } {
  const pathname = useLocation({ select: (location) => location.pathname })
  const standing = useStanding()
  const first =
    standing && !hasProduct(standing, 'mobility') && hasProduct(standing, 'curb') ? 'curb' : 'mobility'
  return { product: productAt(pathname) ?? first, page: pageAt(pathname) }
}
