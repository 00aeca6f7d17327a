import { NativeSelect, SegmentedControl, Text, UnstyledButton, useMantineColorScheme } from '@mantine/core'
import { IconExternalLink, IconKeyboard, IconLogout, IconShieldCog, IconUserCog } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { languages, speak, type Language } from '#web/i18n/start-i18n.ts'
import { HelpLink } from './help-link.tsx'
import { useMe } from './me.tsx'
import { OperatorsOnly } from './operators-only.tsx'
import styles from './settings-menu.module.css'

const schemes = ['light', 'dark', 'auto'] as const

interface Props {
  hasProfile: boolean
  onClose: () => void
  onOpen: (dialog: 'keys' | 'profile') => void
}

/** What the settings menu holds. */
export function SettingsPanel({ hasProfile, onClose, onOpen }: Props) {
  const { t, i18n } = useTranslation()
  const { user, can } = useMe()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const schemeId = useId()
  const line = styles['link'] ?? ''
  return (
    <>
      <div className={styles['part']}>
        <Text fw={600} truncate>{user.name || user.email}</Text>
        {user.name ? <Text size="sm" c="dimmed" truncate>{user.email}</Text> : null}
        {user.operators ? <OperatorsOnly slugs={user.operators} /> : null}
      </div>
      <div className={styles['part']}>
        <Text size="sm" fw={600} id={schemeId}>{t('shell:settings.scheme')}</Text>
        <SegmentedControl
          fullWidth size="xs" aria-labelledby={schemeId} value={colorScheme} onChange={(scheme) => setColorScheme(scheme as (typeof schemes)[number])}
          data={schemes.map((value) => ({ value, label: t(`shell:settings.${value}`) }))}
        />
        <NativeSelect
          label={t('shell:settings.language')} size="xs" value={i18n.language} data={Object.entries(languages).map(([value, label]) => ({ value, label }))}
          onChange={(event) => void speak(event.currentTarget.value as Language)}
        />
      </div>
      <div className={styles['links']}>
        {hasProfile ? <UnstyledButton className={line} onClick={() => onOpen('profile')}><IconUserCog size={18} aria-hidden="true" />{t('shell:settings.profile')}</UnstyledButton> : null}
        {can('is_admin') ? (
          <a className={line} href="/admin" target="_blank" rel="noreferrer" title={t('shell:newTab')} onClick={onClose}>
            <IconShieldCog size={18} aria-hidden="true" />{t('shell:settings.admin')}<IconExternalLink size={14} className={styles['away'] ?? ''} aria-hidden="true" />
          </a>
        ) : null}
        <HelpLink className={line} onFollow={onClose} />
        <UnstyledButton className={line} onClick={() => onOpen('keys')}><IconKeyboard size={18} aria-hidden="true" />{t('shell:settings.keys')}</UnstyledButton>
        <Link className={line} to="/logout"><IconLogout size={18} aria-hidden="true" />{t('shell:settings.signOut')}</Link>
      </div>
    </>
  )
}
