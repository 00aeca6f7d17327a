import { Menu, Text, UnstyledButton, useMantineColorScheme, Group } from '@mantine/core'
import {
  IconHelp,
  IconKeyboard,
  IconLogout,
  IconSettings,
  IconShieldCog,
  IconUserCog,
} from '@tabler/icons-react'
import { Suspense, useContext, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { changeMe, listFeatureFlags } from '#contract/identity.ts'
import { listOperators } from '#contract/operators.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { languages, changeLanguage, storedLanguage, type Language } from '#web/i18n/start-i18n.ts'
import { ActionMenu } from '#web/kit/action-menu.tsx'
import { KeyList } from '#web/kit/key-list.tsx'
import { useShortcuts } from '#web/kit/use-shortcuts.ts'
import { Dialog } from '#web/kit/dialog.tsx'
import { useMe } from './me.tsx'
import { ShellSlotsContext } from './screen-entry.ts'
import { support } from './support.ts'
import { ContactButton } from './contact-button.tsx'

/** Lists the keyboard shortcuts. */
function KeysDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const keys = [
    [['?'], t('shell:help.keys')],
    [['T'], t('shell:help.table')],
    [[t('shell:help.arrows')], t('shell:help.pan')],
    [['+', '−'], t('shell:help.zoom')],
    [['Tab'], t('shell:help.controls')],
    [['Esc'], t('shell:help.clear')],
  ] as const
  return (
    <Dialog title={t('shell:settings.keys')} onClose={onClose}>
      <KeyList keys={keys} />
      <Group justify="flex-end" mt="md">
        <ContactButton about="help" />
      </Group>
    </Dialog>
  )
}

/** Names the operators to which a user is limited. */
function OperatorsOnly({ slugs }: { slugs: readonly string[] }) {
  const { t, i18n } = useTranslation()
  const { data } = useEndpointQuery(listOperators, { query: { size: 300 } })
  const names = slugs.map((slug) => data?.items.find((operator) => operator.slug === slug)?.name ?? slug)
  return (
    <Text size="sm">
      {t('shell:settings.operatorsOnly', {
        names: new Intl.ListFormat(i18n.language, { type: 'conjunction' }).format(names),
      })}
    </Text>
  )
}

const schemes = ['light', 'dark', 'auto'] as const

/** The settings menu; `isNamed` shows the name beside the icon. */
export function SettingsMenu({ className, isNamed = false }: { className: string; isNamed?: boolean }) {
  const { t } = useTranslation()
  const { ProfileDialog } = useContext(ShellSlotsContext)
  const [openDialog, setOpenDialog] = useState<'keys' | 'profile' | null>(null)
  const button = useRef<HTMLButtonElement>(null)
  // The menu item that opened the dialog no longer exists, so the focus moves to the menu button.
  const closeDialog = () => {
    setOpenDialog(null)
    setTimeout(() => button.current?.focus())
  }
  const openKeys = (): void => {
    if (!isNamed && document.querySelector('[role=dialog]') === null) setOpenDialog('keys')
  }
  useShortcuts([
    ['shift+?', openKeys],
    ['?', openKeys],
  ])
  const { user, can } = useMe()
  const flags = useEndpointQuery(listFeatureFlags, {})
  // During impersonation, changes to the profile would affect the administrator.
  const canEditProfile =
    ProfileDialog !== undefined &&
    !user.impersonatedBy &&
    flags.data?.some(({ key, enabled }) => key === 'profileSettings' && enabled) === true
  return (
    <>
      <ActionMenu
        position={isNamed ? 'right-end' : 'bottom-end'}
        width={280}
        before={<Preferences />}
        target={
          <UnstyledButton ref={button} className={className} aria-label={t('shell:settings.label')}>
            <IconSettings size={isNamed ? 18 : 20} aria-hidden="true" />
            {isNamed ? t('shell:settings.label') : null}
          </UnstyledButton>
        }
        actions={[
          ...(canEditProfile
            ? [
                {
                  key: 'profile',
                  label: t('shell:settings.profile'),
                  icon: IconUserCog,
                  onSelect: () => setOpenDialog('profile'),
                },
              ]
            : []),
          ...(can('is_admin')
            ? [
                {
                  key: 'admin',
                  label: t('shell:settings.admin'),
                  icon: IconShieldCog,
                  href: '/admin',
                  newTab: t('shell:newTab'),
                },
              ]
            : []),
          {
            key: 'help',
            label: t('shell:settings.help'),
            icon: IconHelp,
            href: support.helpSite(),
            newTab: t('shell:newTab'),
          },
          {
            key: 'keys',
            label: t('shell:settings.keys'),
            icon: IconKeyboard,
            onSelect: () => setOpenDialog('keys'),
          },
          { key: 'signOut', label: t('shell:settings.signOut'), icon: IconLogout, to: '/logout' },
        ]}
      />
      {openDialog === 'keys' ? <KeysDialog onClose={closeDialog} /> : null}
      {openDialog === 'profile' && ProfileDialog ? (
        <Suspense>
          <ProfileDialog onClose={closeDialog} />
        </Suspense>
      ) : null}
    </>
  )
}

/** Shows who is signed in, and selects color scheme and language. */
function Preferences() {
  const { t } = useTranslation()
  const { user } = useMe()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const schemeId = useId()
  const languageId = useId()
  // The server stores the language, too, because emails are in the language of the user.
  const { mutate } = useEndpointMutation(changeMe)
  const chooseLanguage = (language: Language): void => {
    void changeLanguage(language)
    if (!user.impersonatedBy) mutate({ body: { language } })
  }
  return (
    <>
      <Menu.Label component="div">
        <Text fw={600} size="sm" c="var(--ink)" truncate>
          {user.name || user.email}
        </Text>
        {user.name ? (
          <Text size="sm" truncate>
            {user.email}
          </Text>
        ) : null}
        {user.operators ? <OperatorsOnly slugs={user.operators} /> : null}
      </Menu.Label>
      <Menu.Divider />
      <div role="group" aria-labelledby={schemeId}>
        <Menu.Label id={schemeId}>{t('shell:settings.scheme')}</Menu.Label>
        <Menu.RadioGroup
          value={colorScheme}
          onChange={(scheme) => setColorScheme(scheme as (typeof schemes)[number])}
        >
          {schemes.map((value) => (
            <Menu.RadioItem key={value} value={value}>
              {t(`shell:settings.${value}`)}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </div>
      <Menu.Divider />
      <div role="group" aria-labelledby={languageId}>
        <Menu.Label id={languageId}>{t('shell:settings.language')}</Menu.Label>
        <Menu.RadioGroup value={storedLanguage()} onChange={(value) => chooseLanguage(value as Language)}>
          {Object.entries(languages).map(([value, label]) => (
            <Menu.RadioItem key={value} value={value}>
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </div>
      <Menu.Divider />
    </>
  )
}
