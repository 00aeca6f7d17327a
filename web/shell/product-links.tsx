import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useProducts } from './use-products.ts'
import styles from './region-options.module.css'

export function ProductLinks({ onNavigate }: { onNavigate: () => void }) {
  const { t } = useTranslation()
  const { products, currentProduct: current } = useProducts()
  return (
    <ul className={styles['list']}>
      {products.map(({ product, address }) => (
        <li key={product}>
          <Link
            className={styles['option']}
            to={address}
            aria-current={product === current || undefined}
            onClick={onNavigate}
          >
            {t(`shell:products.${product}`)}
          </Link>
        </li>
      ))}
    </ul>
  )
}
