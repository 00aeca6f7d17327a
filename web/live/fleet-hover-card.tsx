import { useTranslation } from 'react-i18next'
import type { Operator } from '#contract/operators.ts'
import type { LiveStation } from '#contract/vehicles.ts'
import { operatorName } from '#contract/operators.ts'
import { formatInteger } from '#web/kit/format.ts'
import styles from './fleet-hover-card.module.css'
import type { VehicleFacts } from './vehicle-facts.ts'
import { formatDayAndTime } from './zone-clock.ts'

interface Props {
  /** Id of a vehicle, or of a mark such as `cluster/12` or `station/3`. */
  id: string
  facts: VehicleFacts | null
  stations: readonly LiveStation[]
  operators: readonly Operator[]
  zone: string
}

/** The card of the vehicle or mark under the pointer. */
export function FleetHoverCard({ id, facts, stations, operators, zone }: Props) {
  const { t } = useTranslation()
  const lines = (): { name: string; text: string; more: string } | null => {
    const [kind, number, more] = id.split('/')
    if (number === undefined) {
      if (!facts) return null
      const battery = facts.battery === null ? '' : ` · ${t('live:card.percent', { percent: facts.battery })}`
      return {
        name: facts.vehicleId,
        text: `${operatorName(facts.operator, operators)} · ${t(`live:stateShort.${facts.state}`)}${battery}`,
        more: `${t('live:card.seen')} ${formatDayAndTime(facts.seen, zone)}`,
      }
    }
    if (kind === 'cluster')
      return {
        name: t('live:hover.cluster', { count: Number(number), shown: formatInteger(Number(number)) }),
        text: t('live:hover.zoom'),
        more: '',
      }
    if (kind === 'stations')
      return {
        name: t('live:hover.stations', { shown: formatInteger(Number(number)) }),
        text: t('live:hover.cluster', { count: Number(more), shown: formatInteger(Number(more)) }),
        more: t('live:hover.zoom'),
      }
    const station = stations[Number(number)]
    return station
      ? {
          name: station.name,
          text: operatorName(station.operator, operators),
          more: t('live:hover.station', {
            vehicles: station.vehicles_available,
            docks: station.docks_available,
          }),
        }
      : null
  }
  const content = lines()
  if (!content) return null
  return (
    <div className={styles['card']}>
      <span className={styles['name']}>{content.name}</span>
      <span>{content.text}</span>
      {content.more ? <span className={styles['quiet']}>{content.more}</span> : null}
    </div>
  )
}
