import { ActionIcon } from '@mantine/core'
import { IconMenu2 } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { OtherVersion } from './other-version.tsx'
import { ProductSelector } from './product-selector.tsx'
import { RegionSelector } from './region-selector.tsx'
import { SettingsMenu } from './settings-menu.tsx'
import styles from './top-bar.module.css'

export function TopBar({ onMenu }: { onMenu: () => void }) {
  const { t } = useTranslation()
  return (
    <header className={styles['bar']}>
      <ActionIcon className={`${styles['menu']} ${styles['button']}`} variant="transparent" size="lg" aria-label={t('shell:menu')} onClick={onMenu}>
        <IconMenu2 />
      </ActionIcon>
      <ProductSelector />
      <div className={styles['notices']}><OtherVersion /></div>
      <RegionSelector />
      <SettingsMenu />
    </header>
  )
}
