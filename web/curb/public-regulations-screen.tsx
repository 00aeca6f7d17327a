import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { IconParking } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PublicRegion } from '#contract/regions.ts'
import { useOpenedAt } from '#web/data/clock.ts'
import { usePublicBasemap } from '#web/map-page/use-deployment-basemap.ts'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { PageHeader } from '#web/kit/page-header.tsx'
import { ReadingPage } from '#web/kit/reading-page.tsx'
import { PublicFrame } from '#web/shell/public-frame.tsx'
import { PublicPage } from '#web/shell/public-page.tsx'
import { CurbMap } from './map/curb-map.tsx'
import { getPublicCurbSource } from './map/curb-source.ts'

/** The public map of a region's curb regulations, or a note that the city does not publish them. */
export function PublicRegulationsScreen() {
  const { t } = useTranslation()
  return (
    <PublicPage title={t('shell:pages.publicRegulations')}>
      {(region) =>
        region.has_public_regulations ? (
          <PublicRegulationsMap region={region} />
        ) : (
          <PublicFrame title={region.text}>
            <ReadingPage>
              <PageHeader title={t('curb:publicRegulations.heading', { region: region.text })} />
              <EmptyState
                title={t('curb:publicRegulations.none')}
                icon={<IconParking />}
                action={
                  <Button component={Link} to={`/${region.regionId}/public/policies`} variant="default">
                    {t('curb:publicRegulations.policies')}
                  </Button>
                }
              >
                {t('curb:publicRegulations.text')}
              </EmptyState>
            </ReadingPage>
          </PublicFrame>
        )
      }
    </PublicPage>
  )
}

const noHeaders = (): Record<string, string> => ({})

function PublicRegulationsMap({ region }: { region: PublicRegion }) {
  const { t } = useTranslation()
  const now = useOpenedAt()
  const [source] = useState(() => getPublicCurbSource(region.regionId))
  const basemap = usePublicBasemap(region)
  const title = t('curb:publicRegulations.heading', { region: region.text })
  return (
    <PublicFrame title={title}>
      <CurbMap
        region={region}
        source={source}
        basemap={basemap}
        requestHeaders={noHeaders}
        title={title}
        now={now}
      />
    </PublicFrame>
  )
}
