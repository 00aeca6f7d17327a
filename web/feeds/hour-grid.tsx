import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { PullWindow } from '#contract/feeds.ts'
import styles from './feeds.module.css'

/** A day of UTC with its pieces by hour. */
interface DayOfHours {
  day: string
  /** 24; undefined where no piece is known. */
  hours: (PullWindow | undefined)[]
}

/** Pieces by day and hour, the newest day first; none where the pieces are no hours. */
export function hoursByDay(pieces: readonly PullWindow[]): DayOfHours[] {
  const days = new Map<string, (PullWindow | undefined)[]>()
  for (const piece of pieces) {
    const day = piece.piece.slice(0, 10)
    const hours = days.get(day) ?? Array.from({ length: 24 }, () => undefined)
    hours[Number(piece.piece.slice(11, 13))] = piece
    days.set(day, hours)
  }
  const isHourly = [...days.values()].some((hours) => hours.filter(Boolean).length > 1)
  return isHourly
    ? [...days].map(([day, hours]) => ({ day, hours })).toSorted((a, b) => b.day.localeCompare(a.day))
    : []
}

/** A letter beside the colour of each status. */
const letters = { done: '✓', nothing: '–', wanted: '·', waiting: '…', failed: '!' } as const

/** Which hours of which days came, waited and failed, at a glance. The table below says the same in words. */
export function HourGrid({ stream, pieces }: { stream: string; pieces: readonly PullWindow[] }) {
  const { t } = useTranslation()
  const days = hoursByDay(pieces)
  if (days.length === 0) return null
  const label = t('feeds:pieces.grid', { stream })
  const textOf = (hour: number, piece: PullWindow | undefined): string =>
    t('feeds:pieces.cell', {
      hour: String(hour).padStart(2, '0'),
      status: piece ? t(`feeds:status.${piece.status}`) : t('feeds:pieces.unknown'),
    })
  return (
    <div>
      <Text size="sm" fw={600} mb={4} aria-hidden="true">
        {label}
      </Text>
      {/* A box that scrolls must be reachable by keyboard. */}
      <div className={styles['scroll']} tabIndex={0} role="region" aria-label={label}>
        <table className={styles['grid']} aria-label={label}>
          <thead>
            <tr>
              <th scope="col">{t('feeds:pieces.day')}</th>
              {Array.from({ length: 24 }, (_, hour) => (
                <th key={hour} scope="col">
                  {hour % 6 === 0 ? String(hour).padStart(2, '0') : <span className="only-read">{hour}</span>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.map(({ day, hours }) => (
              <tr key={day}>
                <th scope="row">{day}</th>
                {hours.map((piece, hour) => (
                  <td
                    key={hour}
                    className={styles['hour']}
                    data-state={piece?.status}
                    title={textOf(hour, piece)}
                  >
                    <span aria-hidden="true">{piece ? letters[piece.status] : ''}</span>
                    <span className="only-read">{textOf(hour, piece)}</span>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}
