import { Popover, UnstyledButton } from '@mantine/core'
import { IconSettings } from '@tabler/icons-react'
import { Suspense, useContext, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listFeatureFlags } from '#contract/identity.ts'
import { useAnswer } from '#web/data/query.ts'
import { KeysDialog } from './keys-dialog.tsx'
import { useMe } from './me.tsx'
import { SettingsPanel } from './settings-panel.tsx'
import { ShellSlotsContext } from './shell-slots.ts'

/** The settings behind a button; `isNamed` writes its name beside the icon. */
export function SettingsMenu({ face, isNamed = false }: { face: string; isNamed?: boolean }) {
  const { t } = useTranslation()
  const { ProfileDialog } = useContext(ShellSlotsContext)
  const [open, setOpen] = useState<'menu' | 'keys' | 'profile' | null>(null)
  const button = useRef<HTMLButtonElement>(null)
  const close = () => setOpen(null)
  // The line that opened the dialog went with the menu: the focus goes back to the menu's button.
  const closeDialog = () => {
    close()
    setTimeout(() => button.current?.focus())
  }
  const { user } = useMe()
  const flags = useAnswer(listFeatureFlags, {})
  // While an administrator looks on, the calls of the profile would be about the administrator.
  const hasProfile = ProfileDialog !== undefined && !user.impersonatedBy && flags.data?.some(({ key, enabled }) => key === 'profileSettings' && enabled) === true

  return (
    <>
      <Popover opened={open === 'menu'} onDismiss={close} position={isNamed ? 'right-end' : 'bottom-end'} width={280} trapFocus returnFocus>
        <Popover.Target>
          <UnstyledButton ref={button} className={face} aria-label={t('shell:settings.label')} onClick={() => setOpen(open === 'menu' ? null : 'menu')}>
            <IconSettings size={isNamed ? 18 : 20} aria-hidden="true" />
            {isNamed ? t('shell:settings.label') : null}
          </UnstyledButton>
        </Popover.Target>
        <Popover.Dropdown p={0} aria-label={t('shell:settings.label')}>
          <SettingsPanel hasProfile={hasProfile} onClose={close} onOpen={setOpen} />
        </Popover.Dropdown>
      </Popover>
      {open === 'keys' ? <KeysDialog onClose={closeDialog} /> : null}
      {open === 'profile' && ProfileDialog ? <Suspense><ProfileDialog onClose={closeDialog} /></Suspense> : null}
    </>
  )
}
