import { hasProduct } from './features.ts'
import { useMe } from './me.tsx'
import type { Product } from './pages.ts'
import { useChosenRegion } from './region.tsx'
import { usePlace } from './use-place.ts'

const all = ['mobility', 'curb'] as const satisfies readonly Product[]

interface Products {
  /** The products that are on, with where each leads. */
  products: { product: Product; address: string }[]
  current: Product
}

/** The products to choose from. They are the organization's, whatever the region. */
export function useProducts(): Products {
  const { organization, can } = useMe()
  const { regionId } = useChosenRegion()
  const { product } = usePlace()
  const standing = { settings: organization.settings, region: { allowedMaps: null, hasMdsData: false }, can }
  return {
    products: all
      .filter((each) => hasProduct(standing, each))
      .map((each) => ({ product: each, address: regionId ? `/${regionId}/${each}` : '/' })),
    current: product,
  }
}
