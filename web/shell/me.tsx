import { createContext, useContext, useEffect, useMemo, type ReactNode } from 'react'
import { getMe, getMyPermissions, type User } from '#contract/identity.ts'
import { getOrganization, type Organization } from '#contract/organizations.ts'
import { type PermissionKey, permissionKeys } from '#contract/permission.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { reportError } from '#web/data/api-error.ts'
import { FullLoading } from '#web/kit/full-loading.tsx'
import { Loaded } from '#web/kit/loaded.tsx'
import { rememberUser } from './browser-storage.ts'

interface ParsedGrants {
  can: (key: PermissionKey) => boolean
  /** Keys that are unknown to this app, or missing in the list of the server. They count as off. */
  unknownKeys: string[]
}

const isPermissionKey = (key: string): key is PermissionKey => permissionKeys.some((known) => known === key)

/** Parses the permission list of a user. */
export function parseGrants(grants: readonly { key: string; enabled: boolean }[]): ParsedGrants {
  const grantedKeys = new Set(
    grants.filter((grant) => grant.enabled && isPermissionKey(grant.key)).map((grant) => grant.key),
  )
  const listedKeys = new Set(grants.map((grant) => grant.key))
  return {
    can: (key) => grantedKeys.has(key),
    unknownKeys: [
      ...[...listedKeys].filter((key) => !isPermissionKey(key)),
      ...permissionKeys.filter((key) => !listedKeys.has(key)),
    ],
  }
}

export interface Me {
  user: User
  /** The organization of the user; its settings switch features. */
  organization: Organization
  can: (key: PermissionKey) => boolean
}

const MeContext = createContext<Me | null>(null)

/** Returns the signed-in user with organization and permissions. */
export function useMe(): Me {
  const me = useContext(MeContext)
  if (!me) throw new Error('useMe outside of MeProvider')
  return me
}

/** Returns the signed-in user; null on public pages. */
export const useOptionalMe = (): Me | null => useContext(MeContext)

/** Loads the user, permissions and organization for the components below. */
export function MeProvider({ children }: { children: ReactNode }) {
  const user = useEndpointQuery(getMe, {})
  const grants = useEndpointQuery(getMyPermissions, {})
  const organizationId = user.data?.organizationId
  const organization = useEndpointQuery(
    getOrganization,
    { params: { organization_id: organizationId ?? '' } },
    { enabled: organizationId !== undefined },
  )
  const parsedGrants = useMemo(() => (grants.data ? parseGrants(grants.data) : undefined), [grants.data])
  const me = useMemo<Me | undefined>(
    () =>
      user.data && organization.data && parsedGrants
        ? { user: user.data, organization: organization.data, can: parsedGrants.can }
        : undefined,
    [user.data, organization.data, parsedGrants],
  )
  useEffect(() => {
    for (const key of parsedGrants?.unknownKeys ?? [])
      reportError(`The permission key ${key} is unknown and counts as off.`)
  }, [parsedGrants])
  useEffect(() => {
    if (user.data) rememberUser(user.data)
  }, [user.data])
  const combinedQuery = {
    data: me,
    error: user.error ?? grants.error ?? organization.error,
    isFetching: false,
    refetch: () =>
      Promise.all([user, grants, ...(organizationId ? [organization] : [])].map((query) => query.refetch())),
  }
  // The app cannot continue without a user.
  if (user.isSuccess && !user.data?.id) throw new Error('There is no current user.')
  // The frame handles the end of the session by redirecting to the sign-in page.
  if (combinedQuery.error?.status === 401) return <FullLoading />
  return (
    <Loaded query={combinedQuery} skeleton={<FullLoading />}>
      {(value) => <MeContext value={value}>{children}</MeContext>}
    </Loaded>
  )
}
