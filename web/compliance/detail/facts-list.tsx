import { Switch, UnstyledButton } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { listComplianceFacts } from '#contract/compliance.ts'
import type { EndpointOutput } from '#contract/endpoint.ts'
import { vehicleTypeTexts } from '#contract/mobility.ts'
import type { ApiError } from '#web/data/api-error.ts'
import { formatInteger } from '#web/kit/format.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { Pager } from '#web/kit/pager.tsx'
import styles from './detail.module.css'
import { factKind, factTimes, factValue } from './fact-text.ts'

interface Props {
  answer: UseQueryResult<EndpointOutput<typeof listComplianceFacts>, ApiError>
  operatorName: (slug: string) => string
  zone: string
  speedUnit: string | null
  /** What the list is limited to, in words; null: to nothing. */
  about: string | null
  withUncertain: boolean
  onUncertain: (withUncertain: boolean) => void
  onPage: (page: number) => void
  /** Id of the fact that the map shows. */
  selected: string | null
  onSelect: (id: string) => void
}

const columns = ['vehicle', 'type', 'operator', 'shape', 'time', 'value', 'accuracy', 'counted'] as const
const isNumber = (column: string): boolean => column === 'value' || column === 'accuracy'

/** The single facts behind the days, newest first. Who may not see single trips is told so. */
export function FactsList({
  answer,
  operatorName,
  zone,
  speedUnit,
  about,
  withUncertain,
  onUncertain,
  onPage,
  selected,
  onSelect,
}: Props) {
  const { t } = useTranslation()
  const isRefused = answer.error?.status === 403
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
      {about && !isRefused ? <p className={styles['hint']}>{about}</p> : null}
      {isRefused ? (
        <p className={styles['plain']}>{t('compliance:facts.refused')}</p>
      ) : (
        <Loaded
          of={answer}
          isEmpty={({ total }) => total === 0}
          empty={<p className={styles['plain']}>{t('compliance:facts.none')}</p>}
        >
          {({ items, page, size, total }) => (
            <>
              <p className={`figures ${styles['hint']}`}>
                {t('compliance:facts.total', { count: total, shown: formatInteger(total) })}
              </p>
              <div className={styles['factsBox']} tabIndex={0} role="region" aria-labelledby="facts">
                <table className={styles['facts']} aria-labelledby="facts">
                  <thead>
                    <tr>
                      {columns.map((column) => (
                        <th key={column} scope="col" data-number={isNumber(column) || undefined}>
                          {t(`compliance:facts.${column}`)}
                        </th>
                      ))}
                    </tr>
                  </thead>
                  <tbody>
                    {items.map((fact) => (
                      <tr
                        key={`${fact.fact_id} ${fact.shape_uuid}`}
                        data-chosen={fact.fact_id === selected || undefined}
                      >
                        <td>
                          <UnstyledButton
                            className={styles['link'] ?? ''}
                            aria-pressed={fact.fact_id === selected}
                            title={t('compliance:facts.show')}
                            onClick={() => onSelect(fact.fact_id)}
                          >
                            {fact.vehicle_id || fact.device_id}
                          </UnstyledButton>
                        </td>
                        <td>{vehicleTypeTexts[fact.vehicle_type]}</td>
                        <td>{operatorName(fact.operator)}</td>
                        <td>{fact.shape_name}</td>
                        <td className="figures">{factTimes(t, fact, zone)}</td>
                        <td data-number>{factValue(t, fact, speedUnit)}</td>
                        <td data-number>
                          {fact.accuracy === null
                            ? ''
                            : t('evaluation:metres', { count: Math.round(fact.accuracy) })}
                        </td>
                        <td>
                          <span className={styles['counted']} data-kind={factKind(fact)}>
                            {t(`compliance:facts.countedAs.${factKind(fact)}`)}
                          </span>
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
              <Pager page={page} size={size} total={total} onPage={onPage} />
            </>
          )}
        </Loaded>
      )}
    </>
  )
}
