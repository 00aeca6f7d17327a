import { UnstyledButton } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { endImpersonation, impersonation } from './impersonation.ts'
import styles from './top-bar.module.css'

/** Shown while an administrator impersonates a user. */
export function ImpersonationBanner() {
  const { t } = useTranslation()
  const user = useSyncExternalStore(impersonation.watch, impersonation.read)
  if (!user) return null
  return (
    <div role="status" className={styles['viewing']}>
      <IconEye size={18} aria-hidden="true" className={styles['still'] ?? ''} />
      <span className={styles['text']} title={user.user_email}>
        {t('shell:impersonation.viewing', { email: user.user_email })}
      </span>
      <UnstyledButton className={styles['end'] ?? ''} onClick={() => endImpersonation()}>
        {t('shell:impersonation.end')}
      </UnstyledButton>
    </div>
  )
}
