import { rememberedRegion } from './browser-storage.ts'
import { hasProduct } from './features.ts'
import { useMe } from './me.tsx'
import type { Product } from './pages.ts'
import { useRegionContext } from './region.tsx'
import { useCurrentPage } from './use-current-page.ts'

const allProducts = ['mobility', 'curb'] as const satisfies readonly Product[]

interface Products {
  /** The enabled products with their paths. */
  products: { product: Product; address: string }[]
  currentProduct: Product
}

/** The enabled products of the organization, with links to the region of the page, else to the last one. */
export function useProducts(): Products {
  const { organization, can } = useMe()
  const regionId = useRegionContext().regionId ?? rememberedRegion()
  const { product } = useCurrentPage()
  const access = { settings: organization.settings, region: { allowedMaps: null, hasMdsData: false }, can }
  return {
    products: allProducts
      .filter((candidate) => hasProduct(access, candidate))
      .map((offered) => ({ product: offered, address: regionId ? `/${regionId}/${offered}` : '/' })),
    currentProduct: product,
  }
}
