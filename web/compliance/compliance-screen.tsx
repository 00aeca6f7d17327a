import { Button, Group } from '@mantine/core'
import { IconFilterOff, IconScale } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TFunction } from 'i18next'
import {
  complianceStatuses,
  defaultCompliancePeriod,
  getComplianceSummary,
  maxComplianceDays,
} from '#contract/compliance.ts'
import { type Operator } from '#contract/operators.ts'
import type { LocalDay } from '#contract/period.ts'
import { policyTypes } from '#contract/policy-types/list.ts'
import { useToday } from '#web/filters/use-today.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { ShareButton } from '#web/filters/share-button.tsx'
import { periodBefore } from '#web/filters/comparison.ts'
import { selectedPeriod, type Period, formatPeriod } from '#web/filters/period.ts'
import { useSmallScreen } from '#web/kit/use-small-screen.ts'
import { formatDateTime } from '#web/kit/format.ts'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { Loaded } from '#web/kit/loaded.tsx'
import { PageHeader } from '#web/kit/page-header.tsx'
import { ReadingPage } from '#web/kit/reading-page.tsx'
import { usePolicyTextContext } from '#web/policies/use-policy-text-context.ts'
import { isPageEnabled } from '#web/shell/features.ts'
import { pagePath } from '#web/shell/pages.ts'
import { useRegion } from '#web/shell/region.tsx'
import { useSearchState } from '#web/shell/use-search-state.ts'
import { useAccessContext } from '#web/shell/use-access-context.ts'
import { FilterBar } from '#web/filters/filter-bar.tsx'
import { formatPolicyType } from '#web/policies/type-text.ts'
import type { Filter } from '#web/filters/filter.ts'
import { useOperators } from '#web/filters/use-operators.ts'
import { AlertsButton } from './alerts/alerts-button.tsx'
import { type ComplianceSearch, complianceSearch } from './compliance-search.ts'
import { SummarySkeleton } from './summary-loading.tsx'
import { SummaryResults } from './summary-results.tsx'
import { filterRows, summaryRows } from './summary-rows.ts'

/** Policy types that are measured, and `unknown` for imported rules. */
const measuredTypes = [...policyTypes.filter(({ isFee }) => !isFee).map(({ name }) => name), 'unknown']

const noFilters: Partial<ComplianceSearch> = {
  search: undefined,
  types: undefined,
  operators: undefined,
  statuses: undefined,
}

/** Compliance by operator with all policies in force in a period. */
export function ComplianceScreen() {
  const { t, i18n } = useTranslation()
  const { regionId, text: regionName, timezone } = useRegion()
  const { search, push: change, replace: adjust } = useSearchState(complianceSearch)
  const isSmall = useSmallScreen()
  const context = usePolicyTextContext()
  const access = useAccessContext()
  const today = useToday(timezone)
  // The search field has its own state while typing; a new key resets it.
  const [filterBarKey, setFilterBarKey] = useState(0)
  const period = selectedPeriod(search, today, defaultCompliancePeriod)
  const operators = useOperators(regionId)
  const { query: combinedQuery, before, earlier } = useSummaries(regionId, period, search.compare === true)
  const clearFilters = (): void => {
    setFilterBarKey(filterBarKey + 1)
    change(noFilters)
  }
  return (
    <ReadingPage>
      <PageHeader
        title={t('shell:pages.compliance')}
        context={`${regionName} · ${formatPeriod(period, i18n.language)}`}
        actions={
          <Group gap="sm">
            <AlertsButton regionId={regionId} timezone={timezone} />
            <ShareButton variant="default" period={period} />
          </Group>
        }
      />
      <FilterBar
        key={filterBarKey}
        filters={getSummaryFilters(t, operators.data?.items, operators.error?.message, today)}
        state={search}
        onChange={change}
        onType={adjust}
      />
      <Loaded
        query={combinedQuery}
        skeleton={<SummarySkeleton period={period} isSmall={isSmall} />}
        isEmpty={({ data }) => data.length === 0}
        empty={
          <EmptyState
            title={t('compliance:none.title')}
            icon={<IconScale />}
            action={
              <Button component={Link} to={pagePath(regionId, 'policies')}>
                {t('compliance:none.library')}
              </Button>
            }
          >
            {t('compliance:none.text')}
          </EmptyState>
        }
      >
        {({ data, as_of: asOf }) => {
          const rows = filterRows(summaryRows(data, before?.data ?? null, context.operatorName), search)
          if (rows.length === 0) return <NothingFound onClear={clearFilters} />
          return (
            <SummaryResults
              regionId={regionId}
              rows={rows}
              period={period}
              isMeasuring={combinedQuery.isFetching}
              earlier={before ? earlier : null}
              asOf={formatDateTime(asOf, timezone)}
              isSmall={isSmall}
              hasDetails={access !== null && isPageEnabled(access, 'complianceDetail')}
              state={search}
              onStateChange={change}
            />
          )
        }}
      </Loaded>
    </ReadingPage>
  )
}

/** Returns the summary of a period, together with that of the period before, if it is compared. */
function useSummaries(regionId: string, period: Period, isCompared: boolean) {
  const earlier = periodBefore(period)
  const createRequest = (days: Period) => ({
    params: { region_id: regionId },
    query: { startDate: days.start_date, endDate: days.end_date },
  })
  const summary = useEndpointQuery(getComplianceSummary, createRequest(period), {
    placeholderData: keepPreviousData,
  })
  const before = useEndpointQuery(getComplianceSummary, createRequest(earlier), { enabled: isCompared })
  const query = {
    ...summary,
    error: summary.error ?? (isCompared ? before.error : null),
    isFetching: summary.isPlaceholderData || (isCompared && before.isFetching),
    refetch: () => Promise.all([summary.refetch(), isCompared ? before.refetch() : null]),
  }
  return { query, earlier, before: isCompared ? before.data : undefined }
}

const getSummaryFilters = (
  t: TFunction,
  operators: readonly Operator[] | undefined,
  operatorsError: string | undefined,
  today: LocalDay,
): Filter[] => [
  { kind: 'search', key: 'search', label: t('compliance:search') },
  { kind: 'period', today, getDefault: defaultCompliancePeriod, maxDays: maxComplianceDays },
  {
    kind: 'choices',
    key: 'types',
    label: t('policies:filter.types'),
    all: t('policies:all.types'),
    options: measuredTypes.map((name) => ({ value: name, text: formatPolicyType(t, name) })),
  },
  { kind: 'operators', operators, error: operatorsError },
  {
    kind: 'choices',
    key: 'statuses',
    label: t('compliance:table.status'),
    all: t('compliance:allStatuses'),
    options: complianceStatuses.map((value) => ({ value, text: t(`compliance:status.${value}`) })),
  },
  { kind: 'flag', key: 'compare', label: t('compliance:compare') },
]

/** Shown when no policy matches the filters. */
function NothingFound({ onClear }: { onClear: () => void }) {
  const { t } = useTranslation()
  return (
    <EmptyState
      title={t('compliance:filtered.title')}
      icon={<IconFilterOff />}
      action={
        <Button variant="default" onClick={onClear}>
          {t('policies:nothingFound.clear')}
        </Button>
      }
    >
      {t('compliance:filtered.text')}
    </EmptyState>
  )
}
