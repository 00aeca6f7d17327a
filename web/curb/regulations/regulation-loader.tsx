import type { ReactNode } from 'react'
import { Button } from '@mantine/core'
import { IconFileUnknown } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { getCurbPolicy, type RegulationDetail } from '#contract/curb-regulations.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { ReadingPage } from '#web/kit/reading-page.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { pagePath } from '#web/shell/pages.ts'

interface Props {
  id: string
  /** For an editor: starts from the stored regulation, and is not updated while it is being edited. */
  isForEditor?: boolean
  children: (regulation: RegulationDetail) => ReactNode
}

/** Renders the regulation with an id, or a message that there is none. */
export function RegulationLoader({ id, isForEditor = false, children }: Props) {
  const { regionId } = useRegion()
  const response = useEndpointQuery(
    getCurbPolicy,
    { params: { region_id: regionId, curb_policy_id: id } },
    { staleTime: 0, ...(isForEditor ? { gcTime: 0 } : {}) },
  )
  if (response.error?.status === 404)
    return (
      <ReadingPage>
        <UnknownRegulation regionId={regionId} />
      </ReadingPage>
    )
  if (isForEditor && response.data && !response.isFetchedAfterMount)
    return <Loaded query={{ data: undefined, error: response.error, isFetching: true }}>{() => null}</Loaded>
  return (
    <Loaded query={response} dim={false}>
      {children}
    </Loaded>
  )
}

/** Shown for a regulation that does not exist; links to the library of the region. */
function UnknownRegulation({ regionId }: { regionId: string }) {
  const { t } = useTranslation()
  return (
    <EmptyState
      order={1}
      title={t('shell:unknownPolicy.title')}
      icon={<IconFileUnknown />}
      action={
        <Button component={Link} to={pagePath(regionId, 'regulationsLibrary')}>
          {t('curb:regulations.edit.back')}
        </Button>
      }
    />
  )
}
