import { TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { User } from '#contract/identity.ts'
import { GoodNote } from '../good-note.tsx'
import { FactorList } from './factor-list.tsx'
import { NameForm } from './name-form.tsx'
import { PasswordPart } from './password-part.tsx'
import type { ProfileView } from './profile-view.ts'
import styles from './profile.module.css'

interface Props {
  user: User
  /** What was just done. */
  done: 'password' | 'removed' | null
  onShow: (view: ProfileView) => void
}

/** Everything of the profile at a glance. Who only comes by single sign-on has neither a password nor second factors here. */
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
          <PasswordPart email={user.email} onChange={() => onShow({ at: 'password' })} />
          <FactorList factors={user.enrolledFactors} onShow={onShow} />
        </>
      ) : (
        <p className={styles['part']}>{t('account:noPassword')}</p>
      )}
    </>
  )
}
