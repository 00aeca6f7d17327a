import { hasProduct } from './features.ts'
import { useMe } from './me.tsx'
import type { Product } from './pages.ts'
import { useRegionContext } from './region.tsx'
import { useCurrentPage } from './use-current-page.ts'

const allProducts = ['mobility', 'curb'] as const satisfies readonly Product[]

interface Products {
  /** The enabled products with their paths. */
  products: { product: Product; address: string }[]
  current: Product
}

/** The enabled products. They depend on the organization, not on the region. */
export function useProducts(): Products {
  const { organization, can } = useMe()
  const { regionId } = useRegionContext()
  const { product } = useCurrentPage()
  const access = { settings: organization.settings, region: { allowedMaps: null, hasMdsData: false }, can }
  return {
    products: allProducts
      .filter((each) => hasProduct(access, each))
      .map((each) => ({ product: each, address: regionId ? `/${regionId}/${each}` : '/' })),
    current: product,
  }
}
