import type { ReactNode } from 'react'
import { getKeptPolicy, getPolicyByConstant, type StoredPolicy } from '#contract/policies.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { ReadingPage } from '#web/kit/reading-page.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { UnknownPolicy } from '#web/shell/unknown-policy.tsx'

interface Props {
  /** The constant id. */
  id: string
  /** For an editor: begins with what is stored now, and does not change under the hands. */
  isFresh?: boolean
  /** Also one that was deleted, for what is told of the past. */
  isKept?: boolean
  children: (policy: StoredPolicy) => ReactNode
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The policy of an id; where there is none in this region, that. */
export function FoundPolicy({ id, isFresh = false, isKept = false, children }: Props) {
  const { regionId } = useRegion()
  const isId = uuid.test(id)
  const given = { params: { constant_policy_uuid: id } }
  const now = useEndpointQuery(getPolicyByConstant, given, {
    enabled: isId && !isKept,
    staleTime: 0,
    ...(isFresh ? { gcTime: 0 } : {}),
  })
  const kept = useEndpointQuery(getKeptPolicy, given, { enabled: isId && isKept, staleTime: 0 })
  const answer = isKept ? kept : now
  const isGone =
    !isId ||
    answer.error?.status === 404 ||
    (answer.data !== undefined && answer.data.policy.region_id !== regionId)
  if (isGone)
    return (
      <ReadingPage>
        <UnknownPolicy regionId={regionId} />
      </ReadingPage>
    )
  // What an editor begins with must not be an answer of before.
  if (isFresh && answer.data && !answer.isFetchedAfterMount)
    return <Loaded of={{ data: undefined, error: answer.error, isFetching: true }}>{() => null}</Loaded>
  return (
    <Loaded of={answer} dim={false}>
      {({ policy }) => children({ is_deleted: false, ...policy })}
    </Loaded>
  )
}
