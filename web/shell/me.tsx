import { createContext, useContext, useMemo, type ReactNode } from 'react'
import { getMe, getMyPermissions, type User } from '#contract/identity.ts'
import type { PermissionKey } from '#contract/permission.ts'
import { useAnswer } from '#web/data/query.ts'
import { FullLoading } from '#web/kit/full-loading.tsx'
import { Loaded } from '#web/kit/loaded.tsx'

export interface Me {
  user: User
  can: (key: PermissionKey) => boolean
}

const MeContext = createContext<Me | null>(null)

/** Whoever is signed in, and what they may do. */
export function useMe(): Me {
  const me = useContext(MeContext)
  if (!me) throw new Error('useMe outside of MeProvider')
  return me
}

export function MeProvider({ children }: { children: ReactNode }) {
  const user = useAnswer(getMe, {})
  const grants = useAnswer(getMyPermissions, {})
  const me = useMemo<Me | undefined>(
    () => (user.data && grants.data ? { user: user.data, can: (key) => grants.data.some((grant) => grant.key === key && grant.enabled) } : undefined),
    [user.data, grants.data],
  )
  const both = {
    data: me,
    error: user.error ?? grants.error,
    isFetching: false,
    refetch: () => Promise.all([user.refetch(), grants.refetch()]),
  }
  // The session's end is answered by the frame, which leads to the sign-in page.
  if (both.error?.status === 401) return <FullLoading />
  return (
    <Loaded of={both} skeleton={<FullLoading />}>
      {(found) => <MeContext value={found}>{children}</MeContext>}
    </Loaded>
  )
}
