import { useTranslation } from 'react-i18next'
import { operatorName, type Operator } from '#contract/operators.ts'
import type { LiveStation } from '#contract/vehicles.ts'
import { formatInteger } from '#web/kit/format.ts'
import { parseMarkId } from '#web/map/fleet-marks.ts'
import styles from './fleet-hover-card.module.css'
import type { VehicleFacts } from './vehicle-facts.ts'
import { formatDayAndTime } from './zone-clock.ts'

interface Props {
  /** Id of a vehicle (`operator:number`), or of a mark (`map/fleet-marks.ts`). */
  id: string
  facts: VehicleFacts | null
  stations: readonly LiveStation[]
  operators: readonly Operator[]
  timezone: string
}

/** The card of the vehicle or mark under the pointer. */
export function FleetHoverCard({ id, facts, stations, operators, timezone }: Props) {
  const { t } = useTranslation()
  const formatVehicles = (count: number): string =>
    t('live:hover.cluster', { count, shown: formatInteger(count) })
  const getContent = (): { title: string; text: string; detail?: string } | null => {
    const mark = parseMarkId(id)
    if (mark.kind === 'cluster') return { title: formatVehicles(mark.count), text: t('live:hover.zoom') }
    if (mark.kind === 'stations')
      return {
        title: t('live:hover.stations', { shown: formatInteger(mark.count) }),
        text: formatVehicles(mark.vehicles),
        detail: t('live:hover.zoom'),
      }
    if (mark.kind === 'station') {
      const station = stations[mark.index]
      if (!station) return null
      const counts = { vehicles: station.vehicles_available, docks: station.docks_available }
      return {
        title: station.name,
        text: operatorName(station.operator, operators),
        detail: t('live:hover.station', counts),
      }
    }
    if (!facts) return null
    const battery = facts.battery === null ? '' : ` · ${t('live:card.percent', { percent: facts.battery })}`
    return {
      title: facts.vehicleId,
      text: `${operatorName(facts.operator, operators)} · ${t(`live:stateShort.${facts.state}`)}${battery}`,
      detail: `${t('live:card.seen')} ${formatDayAndTime(facts.seen, timezone)}`,
    }
  }
  const content = getContent()
  if (!content) return null
  return (
    <div className={styles['card']}>
      <span className={styles['name']}>{content.title}</span>
      <span>{content.text}</span>
      {content.detail ? <span className={styles['quiet']}>{content.detail}</span> : null}
    </div>
  )
}
