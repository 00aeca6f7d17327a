import { useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { productAt } from './product-at.ts'
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
