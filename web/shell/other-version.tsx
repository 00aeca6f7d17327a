import { UnstyledButton } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { otherVersion } from '#web/data/signals.ts'
import styles from './top-bar.module.css'

/** The server was updated while this page was open. */
export function OtherVersion() {
  const { t } = useTranslation()
  const isOther = useSyncExternalStore(otherVersion.watch, otherVersion.read)
  if (!isOther) return null
  return (
    <div role="status" className={styles['notice']}>
      {t('shell:otherVersion')}
      <UnstyledButton className={styles['link'] ?? ''} onClick={() => location.reload()}>{t('shell:reload')}</UnstyledButton>
    </div>
  )
}
