import { Tooltip, UnstyledButton } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ActMenu } from '#web/kit/act-menu.tsx'
import { Mark } from '#web/kit/mark.tsx'
import { useProducts } from './use-products.ts'
import styles from './top-bar.module.css'

/** The logo with the product's name; a menu where there is another product to choose. */
export function ProductSelector() {
  const { t } = useTranslation()
  const { products, current } = useProducts()
  const name = t(`shell:products.${current}`)
  const face = (
    <>
      <Mark size={28} />
      <span className={`${styles['text']} ${styles['product']}`}>{name}</span>
    </>
  )
  const only = products.length === 1 ? products[0] : undefined
  if (products.length === 0 || only?.product === current) {
    return (
      <Tooltip label={name} openDelay={500}>
        <Link className={styles['button']} to={only?.address ?? '/'} aria-label={name}>
          {face}
        </Link>
      </Tooltip>
    )
  }
  return (
    <ActMenu
      position="bottom-start"
      width={240}
      target={
        <Tooltip label={t('shell:products.choose')} openDelay={500}>
          <UnstyledButton
            className={styles['button'] ?? ''}
            aria-label={`${name}: ${t('shell:products.choose')}`}
          >
            {face}
            <IconChevronDown size={16} className={styles['quiet'] ?? ''} aria-hidden="true" />
          </UnstyledButton>
        </Tooltip>
      }
      acts={products.map(({ product, address }) => ({
        key: product,
        label: t(`shell:products.${product}`),
        to: address,
        isCurrent: product === current,
      }))}
    />
  )
}
