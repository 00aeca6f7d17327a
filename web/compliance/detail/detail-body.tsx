import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ComplianceRecord } from '#contract/compliance.ts'
import type { ListedPolicy } from '#contract/policies.ts'
import type { Region } from '#contract/regions.ts'
import type { Period } from '#web/evaluation/period-presets.ts'
import { shortDay } from '#web/health/short-day.ts'
import { DataTable } from '#web/kit/data-table.tsx'
import type { WordGround } from '#web/policies/word-ground.ts'
import type { DetailSearch } from '../compliance-search.ts'
import { fileName } from '../file-name.ts'
import { shapeViolations } from '../parts/shape-violations.ts'
import { speedUnitOf } from '../parts/speed-unit.ts'
import { ChosenDayDetails } from './chosen-day.tsx'
import { DayMatrix } from './day-matrix.tsx'
import { DetailFigures } from './detail-figures.tsx'
import styles from './detail.module.css'
import { FactsList } from './facts-list.tsx'
import { MatrixLegend } from './matrix-legend.tsx'
import { recordColumns } from './record-columns.tsx'
import { ShapesTable } from './shapes-table.tsx'
import type { usePolicyCompliance } from './use-policy-compliance.ts'
import { ViolationsMap } from './violations-map.tsx'

interface Props {
  policy: ListedPolicy
  region: Region
  ground: WordGround
  found: ReturnType<typeof usePolicyCompliance>
  records: readonly ComplianceRecord[]
  search: DetailSearch
  change: (part: Partial<DetailSearch>) => void
  adjust: (part: Partial<DetailSearch>) => void
  period: Period
  at: number
}

/** What was found: figures, days, places, single facts, and the records themselves. */
export function DetailBody({
  policy,
  region,
  ground,
  found,
  records,
  search,
  change,
  adjust,
  period,
  at,
}: Props) {
  const { t, i18n } = useTranslation()
  const { tallies, days, chosen, facts, points, shown } = found
  const [factId, setFactId] = useState<string | null>(null)
  const rows = useMemo(() => shapeViolations(shown), [shown])
  const columns = useMemo(
    () => recordColumns(t, i18n.language, ground.operatorName),
    [t, i18n.language, ground.operatorName],
  )
  const day = chosen && tallies.find(({ operator }) => operator === chosen.operator)?.days.get(chosen.date)
  const may = facts.data !== undefined && points.data !== undefined ? points.data : null
  const factAt = may && factId !== null ? may.items.findIndex((fact) => fact.fact_id === factId) : -1
  const select = (chosenThing: string | number | null): void => {
    setFactId(typeof chosenThing === 'number' ? (may?.items[chosenThing]?.fact_id ?? null) : null)
    if (typeof chosenThing !== 'number') adjust({ shape: chosenThing ?? undefined, page: undefined })
  }
  const shapeName = rows.find(({ id }) => id === search.shape)?.name
  const about = [
    ...(chosen ? [`${ground.operatorName(chosen.operator)}, ${shortDay(chosen.date, i18n.language)}`] : []),
    ...(shapeName ? [shapeName] : []),
  ].join(' · ')
  const hasShapes = rows.length > 0
  const map = (
    <ViolationsMap
      region={region}
      policy={policy}
      rows={rows}
      facts={may}
      selected={factAt >= 0 ? factAt : (search.shape ?? null)}
      onSelect={select}
      operatorName={ground.operatorName}
      isDimmed={points.isPlaceholderData}
      at={at}
    />
  )
  return (
    <>
      {records[0] ? <DetailFigures tallies={tallies} measure={records[0].measure} /> : null}
      <section className={styles['part']} aria-labelledby="days">
        <h2 id="days" className={styles['partTitle']}>
          {t('compliance:matrix.label')}
        </h2>
        <DayMatrix
          tallies={tallies}
          days={days}
          operatorName={ground.operatorName}
          chosen={chosen}
          onChoose={(next) => change({ operator: next?.operator, date: next?.date, page: undefined })}
        />
        <MatrixLegend />
        {chosen && day ? (
          <ChosenDayDetails
            operatorName={ground.operatorName(chosen.operator)}
            day={day}
            onClose={() => change({ operator: undefined, date: undefined, page: undefined })}
          />
        ) : null}
      </section>
      <section className={styles['part']} aria-labelledby="where">
        <h2 id="where" className={styles['partTitle']}>
          {t('compliance:where')}
          {about ? `: ${about}` : ''}
        </h2>
        <div className={hasShapes ? styles['where'] : ''}>
          <div className={styles['map']}>{map}</div>
          {hasShapes ? (
            <ShapesTable
              rows={rows}
              selected={search.shape}
              onSelect={select}
              fileName={fileName(
                ['violations-by-shape', policy.policy_name, period.start_date, period.end_date],
                'csv',
              )}
              height={412}
            />
          ) : null}
        </div>
      </section>
      <section className={styles['part']}>
        <FactsList
          answer={facts}
          operatorName={ground.operatorName}
          zone={region.timezone}
          speedUnit={speedUnitOf(policy)}
          about={about || null}
          withUncertain={search.uncertain ?? false}
          selected={factId}
          onUncertain={(on) => change({ uncertain: on ? true : undefined, page: undefined })}
          onPage={(page) => change({ page })}
          onSelect={(id) => setFactId(id === factId ? null : id)}
        />
      </section>
      <section className={styles['part']}>
        <h2 className={styles['partTitle']}>{t('compliance:records.title')}</h2>
        <DataTable
          label={t('compliance:records.title')}
          rows={shown}
          columns={columns}
          rowKey={(record) => `${record.date} ${record.operator} ${record.shape_uuid} ${record.policy_uuid}`}
          maxHeight={440}
        />
      </section>
    </>
  )
}
