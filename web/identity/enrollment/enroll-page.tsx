import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getMe } from '#contract/identity.ts'
import { endpointQueryKey } from '#web/data/query.ts'
import type { FactorKind } from '#web/data/second-factor.ts'
import { useMe } from '#web/shell/me.tsx'
import { forgetPendingAction } from '../session/pending-actions.ts'
import { SignInCard } from '../sign-in-card.tsx'
import { EnrollFlow } from './enroll-flow.tsx'
import { FactorChooser } from './factor-chooser.tsx'
import styles from './enrollment.module.css'

/** Shown instead of the app while a second factor is required or requested and none is enrolled. */
export function EnrollPage({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation()
  const { user } = useMe()
  const client = useQueryClient()
  const [kind, setKind] = useState<FactorKind | null>(null)
  const leave = () => {
    forgetPendingAction('enroll')
    onDone()
  }
  const handleDone = async () => {
    await client.invalidateQueries({ queryKey: endpointQueryKey(getMe) })
    leave()
  }
  return (
    <SignInCard isWide tagline={user.email}>
      <div className={styles['flow']}>
        <h2 className={styles['step']}>{t(kind ? `account:kind.${kind}` : 'account:enroll.choose')}</h2>
        {kind ? (
          <EnrollFlow kind={kind} onDone={() => void handleDone()} onCancel={() => setKind(null)} />
        ) : (
          <>
            <p className={styles['text']}>
              {t(user.mfaRequired ? 'account:enroll.required' : 'account:enroll.asked')}
            </p>
            <FactorChooser onChoose={setKind} />
            <div className={styles['foot']}>
              {user.mfaRequired ? null : (
                <Button variant="default" onClick={leave}>
                  {t('account:enroll.notNow')}
                </Button>
              )}
              <Button variant="subtle" renderRoot={(props) => <Link to="/logout" {...props} />}>
                {t('shell:settings.signOut')}
              </Button>
            </div>
          </>
        )}
      </div>
    </SignInCard>
  )
}
