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
import { findTryObstacle } from './tried-policy.ts'
import { measuredDays } from './measured-days.ts'
import { OperatorsTable } from './operators-table.tsx'
import type { OtherRevision } from './other-revision.ts'
import type { Limits } from './strip-marks.ts'
import { TryFigures } from './try-figures.tsx'
import { TryMap } from './try-map.tsx'
import styles from './try-out.module.css'
import { TryStrips } from './try-strips.tsx'
import { useTryOut } from './use-try-out.ts'

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
const defaultDays = 30

/**
 * The effect of a policy on past days, while it is being edited: totals, operators, days and places, compared
 * with another revision.
 */
export function TryOut({
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
    start_date: dayFromNumber(dayNumber(today) - defaultDays),
    end_date: today,
  })
  const [compares, setCompares] = useState(true)
  const obstacle = findTryObstacle(policy, region.currencyCode, picksShapes)
  const trial = useTryOut({
    regionId: region.regionId,
    policy,
    period,
    other: compares ? other : null,
    isReady: obstacle === null,
  })
  const { result, compared, facts, isStale } = trial
  const isPublished = other !== null && 'published' in other
  const comparedLabel = t(isPublished ? 'compliance:try.label.published' : 'compliance:try.label.saved')
  const isWorking = obstacle === null && (isStale || result.isFetching)
  return (
    <section className={styles['root']} aria-label={t('compliance:try.title')}>
      <div className={styles['details']}>
        <TryHead
          period={period}
          today={today}
          other={other}
          compares={compares}
          onPeriodChange={setPeriod}
          onCompare={setCompares}
          onClose={onClose}
        />
        <p role="status" className={styles['status']}>
          {isWorking ? t('compliance:try.asking') : obstacle === null ? t('compliance:try.live') : ''}
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
                <TryResults
                  region={region}
                  policy={policy}
                  period={period}
                  data={data}
                  trial={trial}
                  comparedLabel={comparedLabel}
                  onLimitChange={onLimitChange}
                  operatorName={operatorName}
                />
              </div>
            )}
          </Loaded>
        )}
      </div>
      <TryMap
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

interface TryResultsProps extends Pick<Props, 'region' | 'policy' | 'onLimitChange' | 'operatorName'> {
  period: Period
  data: EndpointOutput<typeof tryPolicy>
  trial: ReturnType<typeof useTryOut>
  /** Name of the revision to compare with. */
  comparedLabel: string
}

/** The totals, days and operators of a trial, and how much data was read. */
function TryResults({
  region,
  policy,
  period,
  data,
  trial: { compared, facts, isWaitingForFacts, isStale },
  comparedLabel,
  onLimitChange,
  operatorName,
}: TryResultsProps) {
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
      <TryFigures
        tallies={tallies}
        before={before}
        measure={measure}
        coverage={coverage}
        operatorName={operatorName}
        comparedLabel={comparedLabel}
      />
      <TryStrips
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

interface TryHeadProps extends Pick<Props, 'today' | 'other' | 'onClose'> {
  period: Period
  /** Whether the other revision is shown for comparison. */
  compares: boolean
  onPeriodChange: (period: Period) => void
  onCompare: (compares: boolean) => void
}

/** The title, the days, and the switch of the comparison. */
function TryHead({ period, today, other, compares, onPeriodChange, onCompare, onClose }: TryHeadProps) {
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

/** Why a policy cannot be tried. */
function ObstacleMessage({ obstacle }: { obstacle: NonNullable<ReturnType<typeof findTryObstacle>> }) {
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
