import { useTranslation } from 'react-i18next'
import type { ComplianceMeasure } from '#contract/compliance.ts'
import { formatChange } from '#web/map-page/by-shape/format-value.ts'
import { formatNumber, formatInteger } from '#web/kit/format.ts'
import parts from '../results/parts.module.css'
import { ExplainedFigure } from '../results/explained-figure.tsx'
import { tallyAll, type OperatorTally } from '../results/tally-records.ts'
import type { MeasuredDays } from './measured-days.ts'
import styles from './policy-test.module.css'

interface Props {
  tallies: readonly OperatorTally[]
  /** Results of the other revision; null if there is none. */
  before: readonly OperatorTally[] | null
  measure: ComplianceMeasure
  /** The data that the numbers are based on. */
  coverage: MeasuredDays
  operatorName: (slug: string) => string
  /** The label of the other revision, before its numbers. */
  comparedLabel: string
}

const countNonCompliant = (tallies: readonly OperatorTally[]): number =>
  tallies.filter(({ status }) => status === 'non_compliant').length

/** The totals, beside those of the other revision. */
export function PolicyTestFigures({
  tallies,
  before,
  measure,
  coverage,
  operatorName,
  comparedLabel,
}: Props) {
  const { t } = useTranslation()
  const total = tallyAll(tallies)
  const earlier = before && tallyAll(before)
  const method = t('compliance:method', { measure: t(`compliance:measures.${measure}.name`) })
  const formatEarlier = (now: number | null, earlierValue: number | null | undefined): string | null =>
    now === null || earlierValue === null || earlierValue === undefined
      ? null
      : t(now === earlierValue ? 'compliance:try.same' : 'compliance:try.was', {
          label: comparedLabel,
          before: formatInteger(earlierValue),
          change: formatChange(now - earlierValue, 0),
        })
  const daysTimesOperators = t('compliance:try.times', {
    days: t(`compliance:try.dayKind.${coverage.kind}`, {
      count: coverage.days,
      shown: formatInteger(coverage.days),
    }),
    operators: t('compliance:try.operatorCount', {
      count: coverage.operators,
      shown: formatInteger(coverage.operators),
    }),
  })
  const notes = [
    ...(coverage.isComplete
      ? []
      : [
          t('compliance:try.someMeasured', {
            measured: formatInteger(coverage.measured),
            all: formatInteger(coverage.days * coverage.operators),
            times: daysTimesOperators,
          }),
        ]),
    ...coverage.partial
      .filter(({ missing }) => missing > 0)
      .map(({ operator, missing }) =>
        t('compliance:try.partial', {
          operator: operatorName(operator),
          count: missing,
          shown: formatInteger(missing),
        }),
      ),
    ...coverage.partial
      .filter(({ isDayOpen }) => isDayOpen)
      .map(({ operator }) => t('compliance:try.dayOpen', { operator: operatorName(operator) })),
    ...coverage.without.map((operator) => t('compliance:try.unusable', { operator: operatorName(operator) })),
  ]
  return (
    <>
      <div className={parts['figures']}>
        <ExplainedFigure
          label={t('compliance:try.violations')}
          value={formatInteger(total.violations)}
          beside={formatEarlier(total.violations, earlier?.violations)}
          definition={`${t('compliance:figures.violations.definition')} ${t(`compliance:measures.${measure}.definition`)}`}
          method={method}
        />
        <ExplainedFigure
          label={t('compliance:try.daysWithViolations')}
          value={
            <>
              {formatInteger(total.nonCompliantDays)}{' '}
              <small>
                {coverage.isComplete
                  ? t('compliance:try.of', { what: daysTimesOperators })
                  : t('compliance:try.ofDays', { shown: formatInteger(coverage.measured) })}
              </small>
            </>
          }
          beside={formatEarlier(total.nonCompliantDays, earlier?.nonCompliantDays)}
          definition={t('compliance:figures.withViolations.definition')}
          method={method}
        />
        <ExplainedFigure
          label={t('compliance:try.operators')}
          value={
            <>
              {formatInteger(countNonCompliant(tallies))}{' '}
              <small>{t('compliance:try.ofOperators', { shown: formatInteger(coverage.operators) })}</small>
            </>
          }
          beside={formatEarlier(countNonCompliant(tallies), before && countNonCompliant(before))}
          definition={t('compliance:try.operatorsDefinition')}
          method={method}
        />
        <ExplainedFigure
          label={t('compliance:try.vehicles')}
          value={formatNumber(total.maxVehicles)}
          beside={formatEarlier(total.maxVehicles, earlier?.maxVehicles)}
          definition={t('compliance:try.vehiclesDefinition')}
          method={method}
        />
      </div>
      {notes.length ? <p className={styles['outOf']}>{notes.join(' ')}</p> : null}
    </>
  )
}
