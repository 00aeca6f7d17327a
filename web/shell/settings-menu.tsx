import { NativeSelect, Popover, SegmentedControl, Text, UnstyledButton, useMantineColorScheme } from '@mantine/core'
import { IconHelp, IconLogout, IconSettings, IconShieldCog } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { languages, speak, type Language } from '#web/i18n/start-i18n.ts'
import { HelpDialog } from './help-dialog.tsx'
import { useMe } from './me.tsx'
import bar from './top-bar.module.css'
import styles from './settings-menu.module.css'

const schemes = ['light', 'dark', 'auto'] as const

export function SettingsMenu() {
  const { t, i18n } = useTranslation()
  const { user, can } = useMe()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const [isOpen, setIsOpen] = useState(false)
  const [helpOpen, setHelpOpen] = useState(false)
  const close = () => setIsOpen(false)

  return (
    <>
      <Popover opened={isOpen} onDismiss={close} position="bottom-end" width={280} trapFocus returnFocus>
        <Popover.Target>
          <UnstyledButton className={bar['button'] ?? ''} aria-label={t('shell:settings.label')} onClick={() => setIsOpen(!isOpen)}>
            <IconSettings size={20} aria-hidden="true" />
          </UnstyledButton>
        </Popover.Target>
        <Popover.Dropdown p={0} aria-label={t('shell:settings.label')}>
          <div className={styles['part']}>
            <Text fw={600} truncate>{user.name || user.email}</Text>
            {user.name ? <Text size="sm" c="dimmed" truncate>{user.email}</Text> : null}
          </div>
          <div className={styles['part']}>
            <Text size="sm" fw={600} id="settings-scheme">{t('shell:settings.scheme')}</Text>
            <SegmentedControl
              fullWidth size="xs" aria-labelledby="settings-scheme" value={colorScheme} onChange={(scheme) => setColorScheme(scheme as (typeof schemes)[number])}
              data={schemes.map((value) => ({ value, label: t(`shell:settings.${value}`) }))}
            />
            <NativeSelect
              label={t('shell:settings.language')} size="xs" value={i18n.language} data={Object.entries(languages).map(([value, label]) => ({ value, label }))}
              onChange={(event) => void speak(event.currentTarget.value as Language)}
            />
          </div>
          <div className={styles['links']}>
            {can('is_admin') ? <Link className={styles['link']} to="/admin/regions" onClick={close}><IconShieldCog size={18} aria-hidden="true" />{t('shell:settings.admin')}</Link> : null}
            <UnstyledButton
              className={styles['link'] ?? ''}
              onClick={() => {
                close()
                setHelpOpen(true)
              }}
            >
              <IconHelp size={18} aria-hidden="true" />{t('shell:settings.help')}
            </UnstyledButton>
            <Link className={styles['link']} to="/logout"><IconLogout size={18} aria-hidden="true" />{t('shell:settings.signOut')}</Link>
          </div>
        </Popover.Dropdown>
      </Popover>
      {helpOpen ? <HelpDialog onClose={() => setHelpOpen(false)} /> : null}
    </>
  )
}
