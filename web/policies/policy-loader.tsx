import type { ReactNode } from 'react'
import { Button } from '@mantine/core'
import { IconFileUnknown } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { getKeptPolicy, getPolicyByConstant, type StoredPolicy } from '#contract/policies.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { ReadingPage } from '#web/kit/reading-page.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { pagePath } from '#web/shell/pages.ts'

interface Props {
  /** Constant id of the policy. */
  id: string
  /** For an editor: starts from the stored policy, and is not updated while it is being edited. */
  isFresh?: boolean
  /** Includes deleted policies, for screens about the past. */
  includesDeleted?: boolean
  children: (policy: StoredPolicy) => ReactNode
}

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Renders the policy with an id, or a message that there is none in this region. */
export function PolicyLoader({ id, isFresh = false, includesDeleted = false, children }: Props) {
  const { regionId } = useRegion()
  const isId = uuidPattern.test(id)
  const input = { params: { constant_policy_uuid: id } }
  const currentPolicy = useEndpointQuery(getPolicyByConstant, input, {
    enabled: isId && !includesDeleted,
    staleTime: 0,
    ...(isFresh ? { gcTime: 0 } : {}),
  })
  const storedPolicy = useEndpointQuery(getKeptPolicy, input, {
    enabled: isId && includesDeleted,
    staleTime: 0,
  })
  const response = includesDeleted ? storedPolicy : currentPolicy
  const isMissing =
    !isId ||
    response.error?.status === 404 ||
    (response.data !== undefined && response.data.policy.region_id !== regionId)
  if (isMissing)
    return (
      <ReadingPage>
        <UnknownPolicy regionId={regionId} />
      </ReadingPage>
    )
  // An editor must not start with a cached response.
  if (isFresh && response.data && !response.isFetchedAfterMount)
    return <Loaded query={{ data: undefined, error: response.error, isFetching: true }}>{() => null}</Loaded>
  return (
    <Loaded query={response} dim={false}>
      {({ policy }) => children({ is_deleted: false, ...policy })}
    </Loaded>
  )
}

/** Shown for a policy that does not exist; links to the policies library of the region. */
function UnknownPolicy({ regionId, children }: { regionId: string; children?: ReactNode }) {
  const { t } = useTranslation()
  return (
    <EmptyState
      order={1}
      title={t('shell:unknownPolicy.title')}
      icon={<IconFileUnknown />}
      action={
        <Button component={Link} to={pagePath(regionId, 'policies')}>
          {t('shell:unknownPolicy.library')}
        </Button>
      }
    >
      {children}
    </EmptyState>
  )
}
