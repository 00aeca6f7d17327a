import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getMe } from '#contract/identity.ts'
import { endpointQueryKey } from '#web/data/query.ts'
import { Dialog } from '#web/kit/dialog.tsx'
import { useMe } from '#web/shell/me.tsx'
import { EnrollFlow } from '../enrollment/enroll-flow.tsx'
import { focusWhenShown } from '../focus-when-shown.ts'
import { forgetPendingAction } from '../session/pending-actions.ts'
import { ChangePasswordForm } from './change-password-form.tsx'
import { ProfileOverview } from './profile-overview.tsx'
import type { ProfileView } from './profile-view.ts'
import { RemoveFactor } from './remove-factor.tsx'
import { RenewCodes } from './renew-codes.tsx'
import styles from './profile.module.css'

interface Props {
  /** The first view, by default the overview. */
  first?: ProfileView
  onClose: () => void
}

const overview: ProfileView = { name: 'overview' }

/** Profile settings: name, password, second factors. */
export function ProfileDialog({ first = overview, onClose }: Props) {
  const { t } = useTranslation()
  const { user } = useMe()
  const client = useQueryClient()
  const [view, setView] = useState<ProfileView>(first)
  /** Whether the dialog cannot be closed, while recovery codes are shown. */
  const [isLocked, setIsLocked] = useState(false)
  const showView = (next: ProfileView) => {
    setIsLocked(false)
    forgetPendingAction('enroll')
    setView(next)
  }
  const showOverview = () => showView({ name: 'overview' })
  /** Reloads the user after a change of the factors. */
  const handleFactorsChanged = async (next: ProfileView) => {
    await client.invalidateQueries({ queryKey: endpointQueryKey(getMe) })
    showView(next)
  }
  const close = () => {
    forgetPendingAction('enroll')
    onClose()
  }
  const titles: Record<ProfileView['name'], string> = {
    overview: t('shell:settings.profile'),
    password: t('account:password.change'),
    add: t('account:factors.add'),
    remove: t('account:factors.remove'),
    codes: t('account:codes.renew'),
  }
  return (
    <Dialog title={titles[view.name]} size={480} onClose={isLocked ? undefined : close}>
      <div key={view.name} ref={focusWhenShown} tabIndex={-1} className={styles['view']}>
        {view.name === 'overview' ? (
          <ProfileOverview user={user} done={view.done ?? null} onShow={showView} />
        ) : null}
        {view.name === 'password' ? (
          <ChangePasswordForm
            onDone={() => showView({ name: 'overview', done: 'password' })}
            onCancel={showOverview}
          />
        ) : null}
        {view.name === 'add' ? (
          <EnrollFlow
            kind={view.kind}
            onEnrolled={() => setIsLocked(true)}
            onDone={() => void handleFactorsChanged({ name: 'overview' })}
            onCancel={showOverview}
          />
        ) : null}
        {view.name === 'remove' ? (
          <RemoveFactor
            factors={user.enrolledFactors}
            isAgreed={view.isAgreed ?? false}
            onDone={() => handleFactorsChanged({ name: 'overview', done: 'removed' })}
            onCancel={showOverview}
          />
        ) : null}
        {view.name === 'codes' ? (
          <RenewCodes onShown={() => setIsLocked(true)} onDone={showOverview} onCancel={showOverview} />
        ) : null}
      </div>
    </Dialog>
  )
}
