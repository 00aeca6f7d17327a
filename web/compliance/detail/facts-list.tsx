import { Switch } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { ComplianceFact, listComplianceFacts } from '#contract/compliance.ts'
import type { EndpointOutput } from '#contract/endpoint.ts'
import { vehicleTypeName } from '#web/filters/vehicle-type-name.ts'
import type { ApiError } from '#web/data/api-error.ts'
import { formatInteger } from '#web/kit/format.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import type { TableColumn } from '#web/kit/table/table-column.ts'
import type { TableState, TableStateHandler } from '#web/kit/table/table-state.ts'
import { Table } from '#web/kit/table/table.tsx'
import { formatMargin } from '#web/map-page/by-shape/format-value.ts'
import { getFactKind, formatFactTimes, formatFactValue } from '#web/policies/results/fact-text.ts'
import styles from './detail.module.css'

interface Props {
  response: UseQueryResult<EndpointOutput<typeof listComplianceFacts>, ApiError>
  operatorName: (slug: string) => string
  timezone: string
  speedUnit: string | null
  isMetric: boolean
  /** The filter of the list as text; null if there is none. */
  selectionText: string | null
  withUncertain: boolean
  onUncertain: (withUncertain: boolean) => void
  state: TableState
  onStateChange: TableStateHandler
  /** Key of the fact selected on the map: its id and its shape. */
  selected: string | null
  onSelect: (key: string) => void
}

/** Returns the key of a fact in a shape. */
export const getFactKey = ({
  fact_id: fact,
  shape_uuid: shape,
}: Pick<ComplianceFact, 'fact_id' | 'shape_uuid'>): string => `${fact} ${shape}`

/** The facts that the days are based on, newest first, or a note for users who may not see single trips. */
export function FactsList({
  response,
  operatorName,
  timezone,
  speedUnit,
  isMetric,
  selectionText,
  withUncertain,
  onUncertain,
  state,
  onStateChange,
  selected,
  onSelect,
}: Props) {
  const { t } = useTranslation()
  const isRefused = response.error?.status === 403
  const createColumn = (
    key: 'vehicle' | 'type' | 'operator' | 'shape' | 'time' | 'value' | 'accuracy' | 'counted',
    value: (fact: ComplianceFact) => string,
    options: Partial<TableColumn<ComplianceFact>> = {},
  ): TableColumn<ComplianceFact> => ({ key, title: t(`compliance:facts.${key}`), value, ...options })
  const columns = [
    createColumn('vehicle', (fact) => fact.vehicle_id || fact.device_id),
    createColumn('type', (fact) => vehicleTypeName(fact.vehicle_type)),
    createColumn('operator', (fact) => operatorName(fact.operator)),
    createColumn('shape', (fact) => fact.shape_name),
    createColumn('time', (fact) => formatFactTimes(t, fact, timezone)),
    createColumn('value', (fact) => formatFactValue(t, fact, speedUnit), { isNumber: true }),
    createColumn(
      'accuracy',
      ({ accuracy }) => (accuracy === null ? '' : formatMargin(Math.round(accuracy), isMetric)),
      { isNumber: true },
    ),
    createColumn('counted', (fact) => t(`compliance:facts.countedAs.${getFactKind(fact)}`), {
      renderCell: (fact) => (
        <span className={styles['counted']} data-kind={getFactKind(fact)}>
          {t(`compliance:facts.countedAs.${getFactKind(fact)}`)}
        </span>
      ),
    }),
  ]
  return (
    <>
      <div className={styles['factsHead']}>
        <h2 id="facts" className={styles['partTitle']}>
          {t('compliance:facts.title')}
        </h2>
        {isRefused ? null : (
          <Switch
            label={t('compliance:facts.withUncertain')}
            checked={withUncertain}
            onChange={(event) => onUncertain(event.currentTarget.checked)}
          />
        )}
      </div>
      {selectionText && !isRefused ? <p className={styles['hint']}>{selectionText}</p> : null}
      {isRefused ? (
        <p className={styles['plain']}>{t('compliance:facts.refused')}</p>
      ) : (
        <Loaded
          query={response}
          isEmpty={({ total }) => total === 0}
          empty={<p className={styles['plain']}>{t('compliance:facts.none')}</p>}
        >
          {({ items, total }) => (
            <>
              <p className={`figures ${styles['hint']}`}>
                {t('compliance:facts.total', { count: total, shown: formatInteger(total) })}
              </p>
              <Table
                label={t('compliance:facts.title')}
                rows={items}
                columns={columns}
                rowKey={getFactKey}
                state={state}
                onStateChange={onStateChange}
                server={{ total, sortKeys: [] }}
                maxHeight={520}
                selected={selected}
                onSelect={onSelect}
                isWrapped
              />
            </>
          )}
        </Loaded>
      )}
    </>
  )
}
