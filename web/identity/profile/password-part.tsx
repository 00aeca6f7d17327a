import { Button } from '@mantine/core'
import { useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { requestPasswordReset } from '#web/data/session.ts'
import { authErrorText } from '../auth-error-text.ts'
import { type Fault, FaultNote } from '../fault-note.tsx'
import { GoodNote } from '../good-note.tsx'
import styles from './profile.module.css'

/** The password: a mail for a new one, or a new one for who knows the current. */
export function PasswordPart({ email, onChange }: { email: string; onChange: () => void }) {
  const { t } = useTranslation()
  const [told, setTold] = useState<'sent' | Fault | null>(null)
  const [isSending, startSending] = useTransition()

  const reset = async () => {
    setTold(null)
    try {
      await requestPasswordReset(email)
      setTold('sent')
    } catch (error) {
      setTold({
        title: t('identity:error.resetTitle'),
        text: t(`identity:error.${authErrorText(error, 'password')}`),
      })
    }
  }

  return (
    <section className={styles['part']}>
      <h3 className={styles['title']}>{t('identity:password')}</h3>
      {told === 'sent' ? (
        <GoodNote title={t('identity:resetSent')}>{t('account:password.sentTo', { email })}</GoodNote>
      ) : (
        <FaultNote fault={told} />
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
