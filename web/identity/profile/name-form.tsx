import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { changeMe, getMe, type User } from '#contract/identity.ts'
import { useAct } from '#web/data/act.ts'
import styles from './profile.module.css'

const longest = 120

/** The name that others read. */
export function NameForm({ user }: { user: User }) {
  const { t } = useTranslation()
  const [name, setName] = useState(user.name)
  const change = useAct(changeMe, [getMe])
  const tidy = name.trim()
  return (
    <form
      className={styles['line']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (tidy) change.mutate({ body: { name: tidy } })
      }}
    >
      <TextInput
        label={t('account:name')}
        name="name"
        autoComplete="name"
        maxLength={longest}
        value={name}
        error={change.error?.message ?? (tidy ? null : t('account:nameRequired'))}
        description={
          change.isSuccess && tidy === user.name ? <span role="status">{t('account:done.name')}</span> : null
        }
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {tidy && tidy !== user.name ? (
        <Button type="submit" loading={change.isPending}>
          {t('kit:save')}
        </Button>
      ) : null}
    </form>
  )
}
