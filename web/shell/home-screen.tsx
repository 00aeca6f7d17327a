import { Anchor } from '@mantine/core'
import { IconMapOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { listRegions } from '#contract/regions.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { ReadingPage } from '#web/kit/reading-page.tsx'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { Redirect } from './redirect.tsx'
import { rememberedRegion } from './browser-storage.ts'
import { ContactButton } from './contact-button.tsx'
import { useMe } from './me.tsx'

/** Shown to users without any region. */
function NoAccess() {
  const { t } = useTranslation()
  const { can } = useMe()
  return (
    <EmptyState
      title={t('shell:noAccess.title')}
      icon={<IconMapOff />}
      order={1}
      action={<ContactButton about="noAccess" variant="filled" />}
    >
      {can('is_admin') ? (
        <Anchor component={Link} to="/admin/regions">
          {t('shell:noAccess.admin')}
        </Anchor>
      ) : (
        t('shell:noAccess.other')
      )}
    </EmptyState>
  )
}

/** `/`: redirects to the last region, else to the first. */
export function HomeScreen() {
  const regions = useEndpointQuery(listRegions, { query: {} })
  const lastRegionId = rememberedRegion()
  if (lastRegionId) return <Redirect to={`/${lastRegionId}`} />
  return (
    <ReadingPage>
      <Loaded query={regions} isEmpty={({ items }) => items.length === 0} empty={<NoAccess />}>
        {({ items }) => <Redirect to={`/${items[0]?.regionId}`} />}
      </Loaded>
    </ReadingPage>
  )
}
