import { useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'

/** Sets the tab title to `Product · Page`. */
export function useTitle(page: string): void {
  const { t } = useTranslation()
  const product = t(
    `shell:products.${useLocation({ select: ({ pathname }) => productAt(pathname) }) ?? 'mobility'}`,
  )
  useEffect(() => {
    document.title = `${product} · ${page}`
  }, [product, page])
}

/** Product of a path; null outside of both products. */
export function productAt(pathname: string): 'mobility' | 'curb' | null {
  const [, area, page] = pathname.split('/').filter(Boolean)
  if (area === 'curb' || (area === 'public' && page === 'regulations')) return 'curb'
  return area === 'mobility' || area === 'mobile' || area === 'public' ? 'mobility' : null
}
