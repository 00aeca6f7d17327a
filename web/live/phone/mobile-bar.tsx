import { IconArrowLeft } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ImpersonationBanner } from '#web/shell/impersonation-banner.tsx'
import { pagePath } from '#web/shell/pages.ts'
import { RegionSelector } from '#web/shell/region-selector.tsx'
import { useScreenChoice } from '#web/shell/screen-size-notice.tsx'
import styles from './mobile-bar.module.css'

/** The top bar of the mobile live map: a link to the same map in the full app, and the region. */
export function MobileBar({ regionId }: { regionId: string }) {
  const { t } = useTranslation()
  const [, setChoice] = useScreenChoice()
  return (
    <div className={styles['bars']}>
      <div className={styles['bar']}>
        {/* The user chose the full app, so it does not offer the mobile map again. */}
        <Link
          className={styles['full']}
          to={pagePath(regionId, 'live')}
          search={true as never}
          onClick={() => setChoice('full')}
        >
          <IconArrowLeft size={20} aria-hidden="true" />
          <span>{t('shell:small.full')}</span>
        </Link>
        <RegionSelector />
      </div>
      <div className={styles['viewing']}>
        <ImpersonationBanner />
      </div>
    </div>
  )
}
