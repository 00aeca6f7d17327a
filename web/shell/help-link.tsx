import { IconExternalLink, IconHelp } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import styles from './curb-drawer.module.css'
import { support } from './support.ts'

/** To the help site, in a new tab. */
export function HelpLink({ className }: { className: string }) {
  const { t } = useTranslation()
  return (
    <a
      className={className}
      href={support.helpSite()}
      target="_blank"
      rel="noreferrer"
      title={t('shell:newTab')}
    >
      <IconHelp size={18} aria-hidden="true" />
      {t('shell:settings.help')}
      <IconExternalLink size={14} className={styles['away'] ?? ''} aria-hidden="true" />
    </a>
  )
}
