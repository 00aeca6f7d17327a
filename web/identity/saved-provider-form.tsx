import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { leavePage } from '#web/data/leave-page.ts'
import { startAddress } from '#web/data/single-sign-on.ts'
import { EntryField } from './entry-field.tsx'
import type { SavedProvider } from './saved-provider.ts'
import styles from './login-screen.module.css'

interface Props {
  saved: SavedProvider
  origin: string
  onForget: () => void
}

/** For who came by single sign-on the last time: the same way again, or another user. */
export function SavedProviderForm({ saved, origin, onForget }: Props) {
  const { t } = useTranslation()
  const { providerId, name, email } = saved
  return (
    <form
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault()
        leavePage(startAddress({ provider_id: providerId, login_hint: email, origin }))
      }}
    >
      <EntryField
        label={t('identity:email')}
        type="email"
        value={email}
        disabled
        hint={t('identity:sso.with', { name })}
      />
      <Button type="submit" fullWidth>
        {t('identity:sso.login')}
      </Button>
      <Button
        variant="subtle"
        size="compact-sm"
        classNames={{ root: styles['long'] ?? '', label: styles['whole'] ?? '' }}
        onClick={onForget}
      >
        {t('identity:sso.other', { email })}
      </Button>
    </form>
  )
}
