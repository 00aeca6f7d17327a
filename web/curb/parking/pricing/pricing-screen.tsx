import { SegmentedControl } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Region } from '#contract/regions.ts'
import { useOpenedAt } from '#web/data/clock.ts'
import { useToday } from '#web/filters/use-today.ts'
import { PageHeader } from '#web/kit/page-header.tsx'
import { ReadingPage } from '#web/kit/reading-page.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { useSearchState } from '#web/shell/use-search-state.ts'
import { BackTestMode } from './back-test.tsx'
import { OccupancyTarget } from './occupancy-target.tsx'
import styles from './pricing.module.css'
import { type PricingMode, pricingModes, pricingSearch } from './pricing-search.ts'
import { ProposalsList } from './proposals-list.tsx'
import { RateTarget } from './rate-target.tsx'

/** The pricing engine: proposals from occupancy, scenarios of rates, and the proposals of the region. */
export function PricingScreen() {
  const region = useRegion()
  return <Pricing key={region.regionId} region={region} />
}

/** The mode of the URL, with its tabs. */
function Pricing({ region }: { region: Region }) {
  const { t } = useTranslation()
  const { search, push } = useSearchState(pricingSearch)
  const at = useOpenedAt()
  const today = useToday(region.timezone)
  const mode = search.mode ?? 'occupancy_target'
  const props = { region, search, push, at, today }
  return (
    <ReadingPage>
      <PageHeader
        title={t('shell:pages.pricingEngine')}
        context={t('curb:pricing.context', { region: region.text })}
      />
      <SegmentedControl
        className={styles['tabs'] ?? ''}
        aria-label={t('curb:pricing.mode.label')}
        data={pricingModes.map((value) => ({ value, label: t(`curb:pricing.mode.${value}`) }))}
        value={mode}
        onChange={(value) =>
          push({
            mode: value === 'occupancy_target' ? undefined : (value as PricingMode),
            sort: undefined,
            page: undefined,
            parameters: undefined,
            compared: undefined,
            band: undefined,
            day_type: undefined,
          })
        }
      />
      {mode === 'occupancy_target' ? <OccupancyTarget {...props} /> : null}
      {mode === 'rate_target' ? <RateTarget {...props} /> : null}
      {mode === 'back_test' ? <BackTestMode {...props} /> : null}
      {mode === 'proposals' ? <ProposalsList region={region} /> : null}
    </ReadingPage>
  )
}
