import { UnstyledButton } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { endImpersonation, impersonation } from './impersonation.ts'
import styles from './top-bar.module.css'

/** While an administrator looks on as somebody else. */
export function ImpersonationBanner() {
  const { t } = useTranslation()
  const viewed = useSyncExternalStore(impersonation.watch, impersonation.read)
  if (!viewed) return null
  return (
    <div role="status" className={styles['viewing']}>
      <IconEye size={18} aria-hidden="true" className={styles['still'] ?? ''} />
      <span className={styles['text']} title={viewed.user_email}>
        {t('shell:impersonation.viewing', { email: viewed.user_email })}
      </span>
      <UnstyledButton className={styles['end'] ?? ''} onClick={() => endImpersonation()}>
        {t('shell:impersonation.end')}
      </UnstyledButton>
    </div>
  )
}
