import { QueryClientProvider } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Fragment, type ReactNode, useState } from 'react'
import { listPublicRegions, type PublicRegion } from '#contract/regions.ts'
import { createQueryClient, useEndpointQuery } from '#web/data/query.ts'
import { FailedState } from '#web/kit/failed-state.tsx'
import { LoadingMessage } from '#web/kit/loading-message.tsx'
import { NotFound } from './not-found.tsx'
import { PublicFrame } from './public-frame.tsx'

interface Props {
  /** Shown in the bar until the region is known. */
  title: string
  children: (region: PublicRegion) => ReactNode
}

/** A public page of a region. It has its own query cache, because it is outside of the frame. */
export function PublicPage(props: Props) {
  const [client] = useState(createQueryClient)
  return (
    <QueryClientProvider client={client}>
      <RegionPage {...props} />
    </QueryClientProvider>
  )
}

function RegionPage({ title, children }: Props) {
  const { regionId = '' } = useParams({ strict: false })
  const { data, isLoading, error, refetch } = useEndpointQuery(listPublicRegions, {
    query: { region_id: regionId },
  })
  const region = data?.items[0]
  if (region) return <Fragment key={region.regionId}>{children(region)}</Fragment>
  return (
    <PublicFrame title={title}>
      <LoadingMessage isLoading={isLoading} />
      {data ? <NotFound /> : null}
      {error ? <FailedState error={error} onRetry={() => void refetch()} /> : null}
    </PublicFrame>
  )
}
