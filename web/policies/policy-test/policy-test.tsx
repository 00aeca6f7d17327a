import { CloseButton, Skeleton, Switch } from '@mantine/core'
import { IconListDetails } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { maxComplianceDays, type tryPolicy } from '#contract/compliance.ts'
import type { EndpointOutput } from '#contract/endpoint.ts'
import { dayNumber, dayFromNumber, type LocalDay } from '#contract/period.ts'
import type { PolicyFields } from '#contract/policy.ts'
import type { Region } from '#contract/regions.ts'
import { DateRangePicker } from '#web/kit/dates/date-range-picker.tsx'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { Loaded } from '#web/kit/loaded.tsx'
import { formatNumber, formatInteger } from '#web/kit/format.ts'
import type { Period } from '#web/filters/period.ts'
import { tallyRecords } from '../results/tally-records.ts'
import { useOfferedOperators } from '../use-offered-operators.ts'
import { findTestObstacle } from './tested-policy.ts'
import { measuredDays } from './measured-days.ts'
import { OperatorsTable } from './operators-table.tsx'
import type { OtherRevision } from './other-revision.ts'
import type { Limits } from './strip-marks.ts'
import { PolicyTestFigures } from './policy-test-figures.tsx'
import { PolicyTestMap } from './policy-test-map.tsx'
import styles from './policy-test.module.css'
import { PolicyTestStrips } from './policy-test-strips.tsx'
import { usePolicyTest } from './use-policy-test.ts'

interface Props {
  region: Region
  /** The current form, saved or not. */
  policy: PolicyFields
  picksShapes: boolean
  /** The revision to compare with; null if there is none. */
  other: OtherRevision | null
  today: LocalDay
  /** When the screen was opened. */
  at: number
  onLimitChange: (changes: Partial<Limits>) => void
  operatorName: (slug: string) => string
  onClose: () => void
}

/** Length of the default period: the last 30 complete days, and today. */
const defaultDayCount = 30

/** The effect of an edited policy on past days: totals, operators, days, places; compared to a revision. */
export function PolicyTest({
  region,
  policy,
  picksShapes,
  other,
  today,
  at,
  onLimitChange,
  operatorName,
  onClose,
}: Props) {
  const { t } = useTranslation()
  const [period, setPeriod] = useState({
    start_date: dayFromNumber(dayNumber(today) - defaultDayCount),
    end_date: today,
  })
  const [isComparing, setIsComparing] = useState(true)
  const obstacle = findTestObstacle(policy, region.currencyCode, picksShapes)
  const test = usePolicyTest({
    regionId: region.regionId,
    policy,
    period,
    other: isComparing ? other : null,
    isReady: obstacle === null,
  })
  const { result, compared, facts, isStale } = test
  const isPublished = other !== null && 'published' in other
  const comparedLabel = t(isPublished ? 'compliance:try.label.published' : 'compliance:try.label.saved')
  const isWorking = obstacle === null && (isStale || result.isFetching)
  return (
    <section className={styles['root']} aria-label={t('compliance:try.title')}>
      <div className={styles['details']}>
        <PolicyTestHead
          period={period}
          today={today}
          other={other}
          compares={isComparing}
          onPeriodChange={setPeriod}
          onCompare={setIsComparing}
          onClose={onClose}
        />
        <p role="status" className={styles['status']}>
          {isWorking ? t('compliance:try.asking') : null}
          {!isWorking && obstacle === null ? t('compliance:try.live') : null}
        </p>
        {obstacle !== null ? (
          <ObstacleMessage obstacle={obstacle} />
        ) : (
          <Loaded
            query={{ data: result.data, error: result.error, isFetching: isStale, refetch: result.refetch }}
            skeleton={<Skeleton height={420} />}
            isEmpty={({ records }) => records.length === 0}
            empty={
              <EmptyState title={t('compliance:noRecords.title')}>{t('compliance:try.nothing')}</EmptyState>
            }
          >
            {(data) => (
              <div className={styles['results']}>
                <PolicyTestResults
                  region={region}
                  policy={policy}
                  period={period}
                  data={data}
                  test={test}
                  comparedLabel={comparedLabel}
                  onLimitChange={onLimitChange}
                  operatorName={operatorName}
                />
              </div>
            )}
          </Loaded>
        )}
      </div>
      <PolicyTestMap
        region={region}
        policy={policy}
        records={obstacle === null ? (result.data?.records ?? []) : []}
        compared={obstacle === null ? compared : null}
        facts={obstacle === null ? facts : null}
        operatorName={operatorName}
        comparedLabel={comparedLabel}
        isDimmed={isWorking}
        at={at}
      />
    </section>
  )
}

interface PolicyTestResultsProps extends Pick<Props, 'region' | 'policy' | 'onLimitChange' | 'operatorName'> {
  period: Period
  data: EndpointOutput<typeof tryPolicy>
  test: ReturnType<typeof usePolicyTest>
  /** Name of the revision to compare with. */
  comparedLabel: string
}

/** The totals, days and operators of a trial, and how much data was read. */
function PolicyTestResults({
  region,
  policy,
  period,
  data,
  test: { compared, facts, isWaitingForFacts, isStale },
  comparedLabel,
  onLimitChange,
  operatorName,
}: PolicyTestResultsProps) {
  const { t } = useTranslation()
  const tallies = useMemo(() => tallyRecords(data.records), [data])
  const before = useMemo(() => (compared ? tallyRecords(compared) : null), [compared])
  const offered = useOfferedOperators(policy, region.regionId, policy.operators)
  const coverage = useMemo(
    () =>
      measuredDays(
        tallies,
        offered.map(({ value }) => value),
        policy.days.length > 0 && policy.days.length < 7,
      ),
    [tallies, offered, policy.days],
  )
  const measure = data.records[0]?.measure
  if (!measure) return null
  return (
    <>
      <PolicyTestFigures
        tallies={tallies}
        before={before}
        measure={measure}
        coverage={coverage}
        operatorName={operatorName}
        comparedLabel={comparedLabel}
      />
      <PolicyTestStrips
        records={data.records}
        measure={measure}
        policy={policy}
        compared={compared}
        comparedLabel={comparedLabel}
        facts={facts}
        isWaiting={isWaitingForFacts}
        isStale={isStale}
        onLimitChange={onLimitChange}
        operatorName={operatorName}
      />
      <OperatorsTable tallies={tallies} before={before} operatorName={operatorName} />
      <p className={`figures ${styles['took']}`}>
        {t('compliance:try.took', {
          records: formatInteger(data.records.length),
          days: formatInteger(dayNumber(period.end_date) - dayNumber(period.start_date) + 1),
          seconds: formatNumber(data.took_ms / 1000),
        })}
      </p>
    </>
  )
}

interface PolicyTestHeadProps extends Pick<Props, 'today' | 'other' | 'onClose'> {
  period: Period
  /** Whether the other revision is shown for comparison. */
  compares: boolean
  onPeriodChange: (period: Period) => void
  onCompare: (compares: boolean) => void
}

/** The title, the days, and the switch of the comparison. */
function PolicyTestHead({
  period,
  today,
  other,
  compares,
  onPeriodChange,
  onCompare,
  onClose,
}: PolicyTestHeadProps) {
  const { t } = useTranslation()
  const isPublished = other !== null && 'published' in other
  return (
    <>
      <header className={styles['head']}>
        <h2 className={styles['title']}>{t('compliance:try.title')}</h2>
        <CloseButton aria-label={t('compliance:try.close')} onClick={onClose} />
      </header>
      <div className={styles['tools']}>
        <DateRangePicker
          label={t('compliance:try.days')}
          range={{ from: period.start_date, to: period.end_date }}
          today={today}
          maxDate={today}
          rangeLimit={maxComplianceDays}
          requireDates
          onChange={({ from, to }) => {
            if (from !== null && to !== null) onPeriodChange({ start_date: from, end_date: to })
          }}
        />
        {other ? (
          <Switch
            label={t(isPublished ? 'compliance:try.compare' : 'compliance:try.saved')}
            checked={compares}
            onChange={(event) => onCompare(event.currentTarget.checked)}
          />
        ) : null}
      </div>
    </>
  )
}

/** Why a policy cannot be tested. */
function ObstacleMessage({ obstacle }: { obstacle: NonNullable<ReturnType<typeof findTestObstacle>> }) {
  const { t } = useTranslation()
  return (
    <EmptyState
      title={t(obstacle === 'fee' ? 'compliance:try.fee' : 'compliance:try.unfinished')}
      icon={<IconListDetails />}
    >
      {t(obstacle === 'fee' ? 'compliance:try.feeText' : 'compliance:try.unfinishedText')}
    </EmptyState>
  )
}
