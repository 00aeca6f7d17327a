import { useTranslation } from 'react-i18next'
import { VehicleType } from '#contract/mobility.ts'
import { operatorName, type Operator } from '#contract/operators.ts'
import { vehicleTypeName } from '#web/filters/vehicle-type-name.ts'
import { formatInteger } from '#web/kit/format.ts'
import styles from './live-counts.module.css'
import type { ShownVehicles } from './filter-vehicles.ts'

interface Props {
  counts: ShownVehicles['counts']
  operators: readonly Operator[]
}

const allTypes = VehicleType.options

/** Number of columns of types that fit into the panel. */
const maxTypesInPanel = 4

/** The number of visible vehicles by operator and vehicle type, with totals. */
export function LiveCounts({ counts, operators }: Props) {
  const { t } = useTranslation()
  /** Null: all operators or types. */
  const sumCounts = (slug: string | null, type: VehicleType | null): number =>
    counts.reduce(
      (total, cell) =>
        (slug === null || cell.operator === slug) && (type === null || cell.type === type)
          ? total + cell.count
          : total,
      0,
    )
  const types = allTypes.filter((type) => sumCounts(null, type) > 0)
  const rows = [...new Set(counts.map(({ operator }) => operator))]
    .map((slug) => ({ slug, name: operatorName(slug, operators) }))
    .toSorted((a, b) => a.name.localeCompare(b.name))
  const renderCells = (slug: string | null) => (
    <>
      {types.map((type) => (
        <td key={type}>{formatInteger(sumCounts(slug, type))}</td>
      ))}
      {types.length > 1 ? <td>{formatInteger(sumCounts(slug, null))}</td> : null}
    </>
  )
  return (
    <div
      className={styles['frame']}
      // Wide tables scroll, which must also work by keyboard.
      {...(types.length > maxTypesInPanel
        ? { 'data-scrolls': true, tabIndex: 0, role: 'region', 'aria-label': t('live:counts.title') }
        : {})}
    >
      <table className={styles['counts']}>
        <caption className="visually-hidden">{t('live:counts.title')}</caption>
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">{t('live:table.operator')}</span>
            </th>
            {types.map((type) => (
              <th key={type} scope="col">
                {vehicleTypeName(type)}
              </th>
            ))}
            {types.length > 1 ? <th scope="col">{t('kit:total')}</th> : null}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ slug, name }) => (
            <tr key={slug}>
              <th scope="row">{name}</th>
              {renderCells(slug)}
            </tr>
          ))}
        </tbody>
        {rows.length > 1 ? (
          <tfoot>
            <tr>
              <th scope="row">{t('kit:total')}</th>
              {renderCells(null)}
            </tr>
          </tfoot>
        ) : null}
      </table>
    </div>
  )
}
