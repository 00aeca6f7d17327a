import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type ComplianceSummary, getComplianceSummary } from '#contract/compliance.ts'
import { listOperators } from '#contract/operators.ts'
import type { LocalDay } from '#contract/period.ts'
import type { Region } from '#contract/regions.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { periodBefore, toComparison, yearBefore } from '#web/filters/comparison.ts'
import { type Period, formatPeriod } from '#web/filters/period.ts'
import { formatDateTime, formatInteger } from '#web/kit/format.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { MetricTile, MetricTilePlaceholder } from '#web/kit/metric-tile.tsx'
import styles from './activity-summary.module.css'
import { PageLink, Panel } from './home-panel.tsx'
import { complianceQuery, maxListed } from './home-questions.ts'
import { operatorName } from './measure-format.ts'

interface PeriodProps {
  region: Region
  period: Period
}

const useCompliance = ({ region, period }: PeriodProps, isNext = true) =>
  useEndpointQuery(getComplianceSummary, complianceQuery(region.regionId, period), { enabled: isNext })

/** Counts policies with violations, once per operator; null if none could be evaluated. */
function countViolated(
  summaries: readonly ComplianceSummary[],
  getStatus: (operator: ComplianceSummary['complianceData'][string]) => string | undefined = ({ status }) =>
    status,
): number | null {
  const statuses = summaries
    .flatMap(({ complianceData }) => Object.values(complianceData).map(getStatus))
    .filter((status) => status === 'compliant' || status === 'non_compliant')
  return statuses.length ? statuses.filter((status) => status === 'non_compliant').length : null
}

/** Counts policies with violations by day. */
const countViolatedByDay = (summaries: readonly ComplianceSummary[]): (number | null)[] =>
  [
    ...new Set(
      summaries.flatMap(({ complianceData }) =>
        Object.values(complianceData).flatMap(({ days }) => days.map(({ date }) => date)),
      ),
    ),
  ]
    .toSorted()
    .map((day) => countViolated(summaries, ({ days }) => days.find(({ date }) => date === day)?.status))

/** Policies with violations, compared with the previous period and last year, which load once `isNext`. */
export function ComplianceTile({
  region,
  period,
  firstDay,
  isNext,
  language,
}: PeriodProps & { firstDay: LocalDay | null | undefined; isNext: boolean; language: string }) {
  const { t } = useTranslation()
  const now = useCompliance({ region, period })
  const previousPeriod = periodBefore(period)
  const lastYear = yearBefore(period)
  const previous = useCompliance({ region, period: previousPeriod }, isNext && now.isSuccess)
  const year = useCompliance({ region, period: lastYear }, isNext && previous.isSuccess)
  if (!now.data) return now.isError ? null : <MetricTilePlaceholder />
  // Cities without policies have no tile.
  if (now.data.data.length === 0) return null
  return (
    <MetricTile
      metric={{
        label: t('reporting:home.compliance.issues'),
        value: countViolated(now.data.data),
        format: formatInteger,
        unit: '',
        definition: t('reporting:home.compliance.definition'),
        betterIf: 'lower',
        history: countViolatedByDay(now.data.data),
        comparisons: [
          {
            key: 'previous',
            compared: previousPeriod,
            value: previous.data && countViolated(previous.data.data),
          },
          { key: 'lastYear', compared: lastYear, value: year.data && countViolated(year.data.data) },
        ].map((compared) =>
          toComparison({ ...compared, period, firstDay, getName: (days) => formatPeriod(days, language) }),
        ),
        missingReason: t('reporting:missing'),
        more: (
          <PageLink region={region} page="compliance" search={period}>
            {t('reporting:home.compliance.open')}
          </PageLink>
        ),
      }}
    />
  )
}

/** Policies with violations in the period, most operator days first. */
export function CompliancePanel({ region, period }: PeriodProps) {
  const { t } = useTranslation()
  const operators = useEndpointQuery(listOperators, { query: { region_id: region.regionId } }).data?.items
  const summary = useCompliance({ region, period })
  return (
    <Panel
      title={t('reporting:home.compliance.title')}
      link={
        <PageLink region={region} page="compliance">
          {t('reporting:home.compliance.open')}
        </PageLink>
      }
    >
      <Loaded
        query={summary}
        isEmpty={({ data }) => data.length === 0}
        empty={<Text c="dimmed">{t('reporting:home.compliance.noPolicies')}</Text>}
      >
        {({ data, as_of: asOf }) => {
          const policies = data
            .map(({ constant_policy_uuid: id, policyName: name, complianceData }) => {
              const violators = Object.entries(complianceData).filter(([, { daysCount }]) => daysCount > 0)
              return {
                id,
                name,
                days: violators.reduce((sum, [, { daysCount }]) => sum + daysCount, 0),
                operators: violators.map(([slug]) => operatorName(operators, slug)).join(', '),
              }
            })
            .filter(({ days }) => days > 0)
            .toSorted((a, b) => b.days - a.days)
          return (
            <>
              {policies.length === 0 ? (
                <Text c="dimmed">{t('reporting:home.compliance.none')}</Text>
              ) : (
                <ul className={styles['list']}>
                  {policies.slice(0, maxListed).map((policy) => (
                    <li key={policy.id} className={styles['item']}>
                      <span>
                        {policy.name} <span className={styles['quiet']}>{policy.operators}</span>
                      </span>
                      <span className={styles['quiet']}>
                        {t('reporting:home.compliance.violations', { count: policy.days })}
                      </span>
                    </li>
                  ))}
                </ul>
              )}
              <p className={styles['quiet']}>
                {policies.length === 0 ? null : `${t('reporting:home.compliance.operatorDays')} `}
                {t('compliance:asOf', { time: formatDateTime(asOf, region.timezone) })}
              </p>
            </>
          )
        }}
      </Loaded>
    </Panel>
  )
}
