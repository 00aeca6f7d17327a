import { ActionIcon } from '@mantine/core'
import { IconMenu2 } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { ImpersonationBanner } from './impersonation-banner.tsx'
import { ProductSelector } from './product-selector.tsx'
import { RegionLogo } from './region-logo.tsx'
import { RegionSelector } from './region-selector.tsx'
import { SettingsMenu } from './settings-menu.tsx'
import { SubscriptionNotice } from './subscription-notice.tsx'
import styles from './top-bar.module.css'

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
      <SettingsMenu face={styles['button'] ?? ''} />
    </header>
  )
}
