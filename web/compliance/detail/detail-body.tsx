import { useMemo, useState, type ComponentProps, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ComplianceRecord, ComplianceMeasure } from '#contract/compliance.ts'
import type { ListedPolicy } from '#contract/policies.ts'
import type { Region } from '#contract/regions.ts'
import type { Period } from '#web/filters/period.ts'
import { formatShortDay } from '#web/kit/dates/calendar-text.ts'
import { Table } from '#web/kit/table/table.tsx'
import type { PolicyTextContext } from '#web/policies/policy-text-context.ts'
import type { DetailSearch } from '../compliance-search.ts'
import { fileName } from '../file-name.ts'
import { shapeViolations } from '#web/policies/results/shape-violations.ts'
import { getSpeedUnit } from '#web/policies/results/speed-unit.ts'
import { SelectedDayDetails } from './chosen-day.tsx'
import { DayMatrix } from './day-matrix.tsx'
import { formatMeasuredNumber, formatMeasuredValue } from '#web/policies/results/measured-text.ts'
import styles from './detail.module.css'
import { FactsList, getFactKey } from './facts-list.tsx'
import { MeasuredChart } from './measured-chart.tsx'
import { findPeak } from './measured-series.ts'
import { getRecordColumns } from './record-columns.tsx'
import { ShapesTable } from './shapes-table.tsx'
import type { usePolicyCompliance } from './use-policy-compliance.ts'
import { ViolationsMap } from './violations-map.tsx'
import { IconAlertTriangleFilled, IconCheck, IconMinus } from '@tabler/icons-react'
import { formatInteger } from '#web/kit/format.ts'
import { JudgementMark } from '#web/policies/results/judgement-mark.tsx'
import parts from '#web/policies/results/parts.module.css'
import { ExplainedFigure } from '#web/policies/results/explained-figure.tsx'
import { tallyAll, type OperatorTally } from '#web/policies/results/tally-records.ts'

interface DetailFiguresProps {
  tallies: readonly OperatorTally[]
  measure: ComplianceMeasure
  records: readonly ComplianceRecord[]
  operatorName: (slug: string) => string
}

/** Totals over the days of all selected operators. */
function DetailFigures({ tallies, measure, records, operatorName }: DetailFiguresProps) {
  const { t, i18n } = useTranslation()
  const peak = useMemo(() => findPeak(records), [records])
  const { status, violations, uncertain, nonCompliantDays, compliantDays, notApplicableDays } =
    tallyAll(tallies)
  const method = t('compliance:method', { measure: t(`compliance:measures.${measure}.name`) })
  const definition = t(`compliance:measures.${measure}.definition`)
  return (
    <div className={parts['figures']}>
      {peak ? (
        <ExplainedFigure
          label={t(`compliance:figures.peak.${peak.isOneLimit ? peak.side : 'differing'}`)}
          value={formatMeasuredValue(t, measure, peak.record.measured)}
          beside={
            <>
              {t(`compliance:figures.peak.${peak.excess > 0 ? 'outside' : 'within'}.${peak.side}`, {
                excess: formatMeasuredNumber(peak.excess),
                limit: formatMeasuredNumber(peak.limit),
              })}
              <br />
              {[
                operatorName(peak.record.operator),
                ...(peak.record.shape_uuid === null ? [] : [peak.record.shape_name]),
                formatShortDay(peak.record.date, i18n.language),
              ].join(', ')}
            </>
          }
          definition={`${t('compliance:figures.peak.definition')} ${definition}`}
          method={method}
        />
      ) : null}
      <ExplainedFigure
        label={t('compliance:figures.status.name')}
        value={<JudgementMark status={status} />}
        definition={t('compliance:figures.status.definition')}
        method={method}
      />
      <ExplainedFigure
        label={t('compliance:figures.withViolations.name')}
        value={formatInteger(nonCompliantDays)}
        beside={t('compliance:figures.withViolations.of', {
          count: nonCompliantDays + compliantDays,
          shown: formatInteger(nonCompliantDays + compliantDays),
        })}
        definition={t('compliance:figures.withViolations.definition')}
        method={method}
      />
      <ExplainedFigure
        label={t('compliance:figures.violations.name')}
        value={formatInteger(violations)}
        definition={`${t('compliance:figures.violations.definition')} ${definition}`}
        method={method}
      />
      <ExplainedFigure
        label={t('compliance:figures.uncertain.name')}
        value={formatInteger(uncertain)}
        definition={t('compliance:figures.uncertain.definition')}
        method={method}
      />
      <ExplainedFigure
        label={t('compliance:figures.other.name')}
        value={formatInteger(notApplicableDays)}
        definition={t('compliance:figures.other.definition')}
        method={method}
      />
    </div>
  )
}

/** The meaning of the signs in the table of days. */
export function MatrixLegend() {
  const { t } = useTranslation()
  const renderEntry = (status: string, sign: ReactNode, text: string, marks: Record<string, true> = {}) => (
    <li key={text}>
      <span className={styles['cell']} data-status={status} {...marks} aria-hidden="true">
        {sign}
      </span>
      {text}
    </li>
  )
  return (
    <ul className={styles['matrixLegend']}>
      {renderEntry('compliant', <IconCheck size={14} />, t('compliance:status.compliant'))}
      {renderEntry(
        'non_compliant',
        <>
          <IconAlertTriangleFilled size={10} />3
        </>,
        t('compliance:matrix.nonCompliant'),
      )}
      {renderEntry('not_applicable', <IconMinus size={14} />, t('compliance:status.not_applicable'))}
      {renderEntry('compliant', <IconCheck size={14} />, t('compliance:matrix.uncertain'), {
        'data-uncertain': true,
      } as never)}
      {renderEntry('compliant', <IconCheck size={14} />, t('compliance:matrix.provisional'), {
        'data-provisional': true,
      } as never)}
    </ul>
  )
}

interface Props {
  policy: ListedPolicy
  region: Region
  context: PolicyTextContext
  compliance: ReturnType<typeof usePolicyCompliance>
  records: readonly ComplianceRecord[]
  search: DetailSearch
  change: (changes: Partial<DetailSearch>) => void
  adjust: (changes: Partial<DetailSearch>) => void
  period: Period
  at: number
}

/** The results: totals, days, map, single facts and records. */
export function DetailBody({
  policy,
  region,
  context,
  compliance,
  records,
  search,
  change,
  adjust,
  period,
  at,
}: Props) {
  const { i18n } = useTranslation()
  const { tallies, days, selected, facts, points, selectedRecords } = compliance
  const [factKey, setFactKey] = useState<string | null>(null)
  const factId = factKey?.split(' ')[0] ?? null
  const rows = useMemo(() => shapeViolations(selectedRecords), [selectedRecords])
  const loadedFacts = facts.data !== undefined && points.data !== undefined ? points.data : null
  const factIndex =
    loadedFacts && factId !== null ? loadedFacts.items.findIndex((fact) => fact.fact_id === factId) : -1
  const select = (factOrShape: string | number | null): void => {
    const fact = typeof factOrShape === 'number' ? loadedFacts?.items[factOrShape] : undefined
    setFactKey(fact ? getFactKey(fact) : null)
    if (typeof factOrShape !== 'number') adjust({ shape: factOrShape ?? undefined, page: undefined })
  }
  const shapeName = rows.find(({ id }) => id === search.shape)?.name
  const selectionText = [
    ...(selected
      ? [`${context.operatorName(selected.operator)}, ${formatShortDay(selected.date, i18n.language)}`]
      : []),
    ...(shapeName ? [shapeName] : []),
  ].join(' · ')
  return (
    <>
      {records[0] ? (
        <>
          <DetailFigures
            tallies={tallies}
            measure={records[0].measure}
            records={records}
            operatorName={context.operatorName}
          />
          <MeasuredChart
            regionId={region.regionId}
            measure={records[0].measure}
            records={records}
            days={days}
            operatorName={context.operatorName}
            fileName={fileName(['measured-values', policy.policy_name, period.start_date, period.end_date])}
          />
        </>
      ) : null}
      <DaysSection compliance={compliance} context={context} change={change} />
      <WhereSection
        region={region}
        policy={policy}
        rows={rows}
        facts={loadedFacts}
        search={search}
        factIndex={factIndex}
        selectionText={selectionText}
        onSelect={select}
        operatorName={context.operatorName}
        isDimmed={points.isPlaceholderData}
        period={period}
        at={at}
      />
      <section className={styles['part']}>
        <FactsList
          response={facts}
          operatorName={context.operatorName}
          timezone={region.timezone}
          speedUnit={getSpeedUnit(policy)}
          isMetric={region.isMetric}
          selectionText={selectionText || null}
          withUncertain={search.uncertain ?? false}
          selected={factKey}
          onUncertain={(on) => change({ uncertain: on ? true : undefined, page: undefined })}
          state={search}
          onStateChange={change}
          onSelect={(key) => setFactKey(key === factKey ? null : key)}
        />
      </section>
      <RecordsSection records={selectedRecords} context={context} />
    </>
  )
}

interface WhereSectionProps extends Pick<Props, 'region' | 'policy' | 'search' | 'period' | 'at'> {
  rows: ReturnType<typeof shapeViolations>
  facts: ComponentProps<typeof ViolationsMap>['facts']
  /** Index of the selected fact; -1 if there is none. */
  factIndex: number
  /** The chosen day and shape. */
  selectionText: string
  onSelect: (factOrShape: string | number | null) => void
  operatorName: (slug: string) => string
  isDimmed: boolean
}

/** The places of violations on a map and, if the policy has shapes, in a table. */
function WhereSection({
  rows,
  search,
  factIndex,
  selectionText,
  onSelect,
  period,
  policy,
  ...mapProps
}: WhereSectionProps) {
  const { t } = useTranslation()
  const hasShapes = rows.length > 0
  return (
    <section className={styles['part']} aria-labelledby="where">
      <h2 id="where" className={styles['partTitle']}>
        {t('compliance:where')}
        {selectionText ? `: ${selectionText}` : ''}
      </h2>
      <div className={hasShapes ? styles['where'] : ''}>
        <div className={styles['map']}>
          <ViolationsMap
            {...mapProps}
            policy={policy}
            rows={rows}
            selected={factIndex >= 0 ? factIndex : (search.shape ?? null)}
            onSelect={onSelect}
          />
        </div>
        {hasShapes ? (
          <ShapesTable
            rows={rows}
            selected={search.shape}
            onSelect={onSelect}
            fileName={fileName([
              'violations-by-shape',
              policy.policy_name,
              period.start_date,
              period.end_date,
            ])}
            height={412}
          />
        ) : null}
      </div>
    </section>
  )
}

/** The days of each operator, and the details of the chosen one. */
function DaysSection({ compliance, context, change }: Pick<Props, 'compliance' | 'context' | 'change'>) {
  const { t } = useTranslation()
  const { tallies, days, selected } = compliance
  const day =
    selected && tallies.find(({ operator }) => operator === selected.operator)?.days.get(selected.date)
  return (
    <section className={styles['part']} aria-labelledby="days">
      <h2 id="days" className={styles['partTitle']}>
        {t('compliance:matrix.label')}
      </h2>
      <DayMatrix
        tallies={tallies}
        days={days}
        operatorName={context.operatorName}
        selected={selected}
        onChoose={(next) => change({ operator: next?.operator, date: next?.date, page: undefined })}
      />
      <MatrixLegend />
      {selected && day ? (
        <SelectedDayDetails
          operatorName={context.operatorName(selected.operator)}
          day={day}
          onClose={() => change({ operator: undefined, date: undefined, page: undefined })}
        />
      ) : null}
    </section>
  )
}

interface RecordsSectionProps {
  records: readonly ComplianceRecord[]
  context: PolicyTextContext
}

/** The records as a table. */
function RecordsSection({ records, context }: RecordsSectionProps) {
  const { t, i18n } = useTranslation()
  const columns = useMemo(
    () => getRecordColumns(t, i18n.language, context.operatorName),
    [t, i18n.language, context.operatorName],
  )
  return (
    <section className={styles['part']}>
      <h2 className={styles['partTitle']}>{t('compliance:records.title')}</h2>
      <Table
        label={t('compliance:records.title')}
        rows={records}
        columns={columns}
        rowKey={(record) => `${record.date} ${record.operator} ${record.shape_uuid} ${record.policy_uuid}`}
        maxHeight={440}
      />
    </section>
  )
}
