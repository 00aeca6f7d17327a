import { ActionIcon, Tooltip, UnstyledButton } from '@mantine/core'
import { IconMenu2, IconChevronDown } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { ImpersonationBanner } from './impersonation-banner.tsx'
import { RegionSelector } from './region-selector.tsx'
import { SettingsMenu } from './settings-menu.tsx'
import { SubscriptionNotice } from './subscription-notice.tsx'
import styles from './top-bar.module.css'
import { useState } from 'react'
import { useRegionContext } from './region.tsx'
import { Link } from '@tanstack/react-router'
import { ActionMenu } from '#web/kit/action-menu.tsx'
import { Mark } from '#web/kit/mark.tsx'
import { useProducts } from './use-products.ts'

/** The logo with the name of the product; a menu if there are several products. */
function ProductSelector() {
  const { t } = useTranslation()
  const { products, currentProduct: current } = useProducts()
  const name = t(`shell:products.${current}`)
  const label = (
    <>
      <Mark size={28} />
      <span className={`${styles['text']} ${styles['product']}`}>{name}</span>
    </>
  )
  const singleProduct = products.length === 1 ? products[0] : undefined
  if (products.length === 0 || singleProduct?.product === current) {
    return (
      <Tooltip label={name} openDelay={500}>
        <Link className={styles['button']} to={singleProduct?.address ?? '/'} aria-label={name}>
          {label}
        </Link>
      </Tooltip>
    )
  }
  return (
    <ActionMenu
      position="bottom-start"
      width={240}
      target={
        <Tooltip label={t('shell:products.choose')} openDelay={500}>
          <UnstyledButton
            className={styles['button'] ?? ''}
            aria-label={`${name}: ${t('shell:products.choose')}`}
          >
            {label}
            <IconChevronDown size={16} className={styles['quiet'] ?? ''} aria-hidden="true" />
          </UnstyledButton>
        </Tooltip>
      }
      actions={products.map(({ product, address }) => ({
        key: product,
        label: t(`shell:products.${product}`),
        to: address,
        isCurrent: product === current,
      }))}
    />
  )
}

/** The logo of the region; hidden if there is none or it fails to load. */
function RegionLogo() {
  const { query } = useRegionContext()
  const [failedFile, setFailedFile] = useState<string | null>(null)
  const region = query.data
  const file = region?.logoFilename
  if (!file || file === failedFile) return null
  return (
    <img
      className={styles['logo']}
      src={`/logos/${encodeURIComponent(file)}`}
      alt={region.text}
      onError={() => setFailedFile(file)}
    />
  )
}

/** The bar above all pages: menu, product, notices, region and settings. */
export function TopBar({ onMenu }: { onMenu: () => void }) {
  const { t } = useTranslation()
  return (
    <header className={styles['bar']}>
      <ActionIcon
        className={`${styles['menu']} ${styles['button']}`}
        variant="transparent"
        size="lg"
        aria-label={t('shell:menu')}
        onClick={onMenu}
      >
        <IconMenu2 />
      </ActionIcon>
      <ProductSelector />
      <div className={styles['notices']}>
        <ImpersonationBanner />
        <SubscriptionNotice />
      </div>
      <RegionLogo />
      <RegionSelector />
      <SettingsMenu className={styles['button'] ?? ''} />
    </header>
  )
}
