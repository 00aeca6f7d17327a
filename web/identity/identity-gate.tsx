import { lazy, Suspense, useState, type ReactNode, useEffect } from 'react'
import type { User } from '#contract/identity.ts'
import { now } from '#web/data/clock.ts'
import { FullLoading } from '#web/kit/full-loading.tsx'
import { useMe } from '#web/shell/me.tsx'
import { sessionEnd } from '#web/data/signals.ts'
import { readLastActive, writeLastActive, storageKeys } from '#web/shell/browser-storage.ts'
import type { ProfileView } from './profile/profile-view.ts'
import { hasPendingAction } from './session/pending-actions.ts'
import { isIdle, trackInactivity } from './session/track-inactivity.ts'

/**
 * Signs out when the user is inactive or another tab signs out. Returns whether the user was already idle
 * when the page loaded: then no content may be shown.
 */
function useIdleSignOut(): boolean {
  const [wasIdle] = useState(() => isIdle(readLastActive(), now()))
  useEffect(
    () =>
      trackInactivity({
        now,
        lastActive: readLastActive,
        onActivity: writeLastActive,
        page: window,
        storageKey: storageKeys.lastActive,
        onIdle: () => sessionEnd.write({ reason: 'idle' }),
        onSignedOutElsewhere: () => sessionEnd.write({ reason: 'elsewhere' }),
      }),
    [],
  )
  return wasIdle
}

// Loaded lazily: most visits need none of these.
const EnrollPage = lazy(async () => ({ default: (await import('./enrollment/enroll-page.tsx')).EnrollPage }))
const ProfileDialog = lazy(async () => ({
  default: (await import('./profile/profile-dialog.tsx')).ProfileDialog,
}))
const TermsDialog = lazy(async () => ({ default: (await import('./terms-dialog.tsx')).TermsDialog }))

/** Finds the profile view that resumes an action which required a newer sign-in; null if none is pending. */
function findResumedView({ id, enrolledFactors }: User): ProfileView | null {
  if (enrolledFactors.length === 0) return null
  if (hasPendingAction('unenroll', id, now())) return { name: 'remove', isAgreed: true }
  const missingKind = (['totp', 'phone'] as const).find(
    (kind) => !enrolledFactors.some((factor) => factor.kind === kind),
  )
  return missingKind && hasPendingAction('enroll', id, now()) ? { name: 'add', kind: missingKind } : null
}

/**
 * Renders the app after these checks: inactivity, a second factor that is required or requested, the terms of
 * service, and an action that was pending before a new sign-in. For impersonating administrators only
 * inactivity is checked.
 */
export function IdentityGate({ children }: { children: ReactNode }) {
  const { user } = useMe()
  const wasIdle = useIdleSignOut()
  const isOwnSession = !user.impersonatedBy
  const isEnrolled = user.enrolledFactors.length > 0
  const [isEnrollmentRequested, setIsEnrollmentRequested] = useState(
    () => isOwnSession && !isEnrolled && hasPendingAction('enroll', user.id, now()),
  )
  const [resumedView, setResumedView] = useState(() => (isOwnSession ? findResumedView(user) : null))
  /** `started` keeps enrollment open until its recovery codes are confirmed; `done` prevents a second start. */
  const [enrollment, setEnrollment] = useState<'no' | 'started' | 'done'>('no')
  const mustEnroll = isOwnSession && !isEnrolled && (user.mfaRequired || isEnrollmentRequested)
  // The recovery codes must not disappear when the user with the new factor is loaded, which ends `mustEnroll`.
  if (mustEnroll && enrollment === 'no') setEnrollment('started')
  if (!mustEnroll && enrollment === 'done') setEnrollment('no')
  const handleEnrolled = () => {
    setIsEnrollmentRequested(false)
    setEnrollment('done')
  }
  if (wasIdle) return <FullLoading />
  if (mustEnroll || enrollment === 'started')
    return (
      <Suspense fallback={<FullLoading />}>
        <EnrollPage onDone={handleEnrolled} />
      </Suspense>
    )
  return (
    <>
      {children}
      <Suspense>
        {isOwnSession && !user.acceptedTermsOfService ? (
          <TermsDialog />
        ) : resumedView ? (
          <ProfileDialog first={resumedView} onClose={() => setResumedView(null)} />
        ) : null}
      </Suspense>
    </>
  )
}
