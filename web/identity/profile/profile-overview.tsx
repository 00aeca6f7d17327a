import { TextInput, Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useState, useTransition } from 'react'
import { type User, changeMe, getMe, maxPersonNameLength } from '#contract/identity.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { requestPasswordReset } from '#web/data/session.ts'
import { type Fault, FaultNote, GoodNote } from '../notes.tsx'
import { FactorList } from './factor-list.tsx'
import { SessionList } from './session-list.tsx'
import type { ProfileView } from './profile-view.ts'
import styles from './profile.module.css'
import { getAuthErrorKey } from '../auth-error-key.ts'

/** The password: buttons to reset it by mail and to change it. */
function PasswordPart({ email, onChange }: { email: string; onChange: () => void }) {
  const { t } = useTranslation()
  const [result, setResult] = useState<'sent' | Fault | null>(null)
  const [isSending, startSending] = useTransition()
  const reset = async () => {
    setResult(null)
    try {
      await requestPasswordReset(email)
      setResult('sent')
    } catch (error) {
      setResult({
        title: t('identity:error.resetTitle'),
        text: t(`identity:error.${getAuthErrorKey(error, 'password')}`),
      })
    }
  }
  return (
    <section className={styles['part']}>
      <h3 className={styles['title']}>{t('identity:password')}</h3>
      {result === 'sent' ? (
        <GoodNote title={t('identity:resetSent')}>{t('account:password.sentTo', { email })}</GoodNote>
      ) : (
        <FaultNote fault={result} />
      )}
      <div className={styles['buttons']}>
        <Button variant="default" loading={isSending} onClick={() => startSending(reset)}>
          {t('identity:reset')}
        </Button>
        <Button variant="default" onClick={onChange}>
          {t('account:password.change')}
        </Button>
      </div>
    </section>
  )
}

/** The name that other users see. */
function NameForm({ user }: { user: User }) {
  const { t } = useTranslation()
  const [name, setName] = useState(user.name)
  const change = useEndpointMutation(changeMe, [getMe])
  const trimmedName = name.trim()
  return (
    <form
      className={styles['line']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (trimmedName) change.mutate({ body: { name: trimmedName } })
      }}
    >
      <TextInput
        label={t('account:name')}
        name="name"
        autoComplete="name"
        maxLength={maxPersonNameLength}
        value={name}
        error={change.error?.message ?? (trimmedName ? null : t('account:nameRequired'))}
        description={
          change.isSuccess && trimmedName === user.name ? (
            <span role="status">{t('account:done.name')}</span>
          ) : null
        }
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {trimmedName && trimmedName !== user.name ? (
        <Button type="submit" loading={change.isPending}>
          {t('kit:save')}
        </Button>
      ) : null}
    </form>
  )
}

interface Props {
  user: User
  /** The last completed action. */
  done: 'password' | 'removed' | null
  onShow: (view: ProfileView) => void
}

/** Overview of the profile. Users of only single sign-on have neither a password nor second factors. */
export function ProfileOverview({ user, done, onShow }: Props) {
  const { t } = useTranslation()
  const hasPassword = user.providerData.some(({ providerId }) => providerId === 'password')
  return (
    <>
      {done ? <GoodNote title={t(`account:done.${done}`)} /> : null}
      <div className={styles['part']}>
        <NameForm user={user} />
        <TextInput
          label={t('identity:email')}
          value={user.email}
          readOnly
          description={t('account:emailHint')}
          inputWrapperOrder={['label', 'input', 'description']}
        />
      </div>
      {hasPassword ? (
        <>
          <PasswordPart email={user.email} onChange={() => onShow({ name: 'password' })} />
          <FactorList factors={user.enrolledFactors} onShow={onShow} />
        </>
      ) : (
        <p className={styles['part']}>{t('account:noPassword')}</p>
      )}
      {user.impersonatedBy ? null : (
        <>
          <SessionList />
          <section className={styles['part']}>
            <h3 className={styles['title']}>{t('account:data.title')}</h3>
            <p>{t('account:data.text')}</p>
            <div className={styles['buttons']}>
              <Button variant="default" component="a" href="/v2/users/me/data" download>
                {t('account:data.download')}
              </Button>
            </div>
          </section>
        </>
      )}
    </>
  )
}
