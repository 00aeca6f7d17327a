import { CloseButton, Skeleton } from '@mantine/core'
import type { CSSProperties } from 'react'
import { useTranslation } from 'react-i18next'
import type { CurbZoneCard as Card } from '#contract/curb-map.ts'
import type { CurbUse } from '#contract/curb-rules.ts'
import { type DisplayableError, FailedState } from '#web/kit/failed-state.tsx'
import { formatDistance, formatInteger, formatMoment } from '#web/kit/format.ts'
import { useMapScheme } from '#web/map/use-map-scheme.ts'
import { formatClockRange } from '#web/kit/time/time-of-day.ts'
import { getCurbColor } from './curb-colors.ts'
import styles from './curb-map.module.css'
import { formatWeekdays, formatWeekLine } from '../rule-text.ts'

interface Props {
  response: { data: Card | undefined; error: DisplayableError | null; refetch: () => unknown }
  timezone: string
  at: number
  isMetric: boolean
  onClear: () => void
}

/** Returns when (ms) the current state ends for the most useful permitted use; null if there is no end. */
function getStateEnd({ situation: { uses } }: Card): number | null {
  const usesByRank: readonly CurbUse[] = ['parking', 'loading', 'unloading', 'stopping']
  const use = usesByRank.find((candidate) => uses[candidate].answer === 'allowed') ?? 'stopping'
  return uses[use].until ?? uses.parking.until
}

/** The selected zone: what is allowed now and until when, its weekly schedule in words, and its policies. */
export function CurbZoneCard({
  response: { data: card, error, refetch },
  timezone,
  at,
  isMetric,
  onClear,
}: Props) {
  const { t, i18n } = useTranslation()
  const scheme = useMapScheme()
  const until = card ? getStateEnd(card) : null
  return (
    <section className={styles['card']} aria-label={t('curb:map.card.label')}>
      <header className={styles['head']}>
        <h2 className={styles['title']}>
          {card
            ? (card.zone.street_name ?? card.zone.name ?? t('curb:map.card.unnamed'))
            : t('curb:map.card.label')}
        </h2>
        <CloseButton size="sm" aria-label={t('curb:map.card.clear')} onClick={onClear} />
      </header>
      {card ? (
        <>
          <p className={styles['state']}>
            <span
              className={styles['swatch']}
              aria-hidden="true"
              style={{ '--swatch': getCurbColor(card.situation.state, scheme) } as CSSProperties}
            />
            <strong>{t(`curb:map.state.${card.situation.state}`)}</strong>
            {until === null ? null : (
              <span className={styles['quiet']}>
                {t('curb:map.card.until', { time: formatMoment(until, timezone, at) })}
              </span>
            )}
          </p>
          <dl className={styles['figures']}>
            {card.zone.street_side ? (
              <div>
                <dt>{t('curb:map.card.side')}</dt>
                <dd>{t(`curb:map.side.${card.zone.street_side}`)}</dd>
              </div>
            ) : null}
            <div>
              <dt>{t('curb:map.card.length')}</dt>
              <dd>{formatDistance(card.length_m, isMetric)}</dd>
            </div>
            {card.capacity === null ? null : (
              <div>
                <dt>{t(`curb:map.card.spaces_${card.capacity_basis ?? 'marked'}`)}</dt>
                <dd>{formatInteger(card.capacity)}</dd>
              </div>
            )}
          </dl>
          <h3 className={styles['part']}>{t('curb:map.card.week')}</h3>
          {card.week.lines.length ? (
            <ul className={styles['week']}>
              {groupLinesByDays(card).map(({ days, lines }) => (
                <li key={days.join()}>
                  <span className={styles['days']}>{formatWeekdays(t, days, i18n.language)}</span>
                  <ul>
                    {lines.map((line) => (
                      <li key={line.from}>
                        <span
                          className={styles['swatch']}
                          aria-hidden="true"
                          style={{ '--swatch': getCurbColor(line.state, scheme) } as CSSProperties}
                        />
                        <span className={styles['times']}>{formatClockRange(line.from, line.until)}</span>
                        <span>{formatWeekLine(t, line, card.currency)}</span>
                      </li>
                    ))}
                  </ul>
                </li>
              ))}
            </ul>
          ) : (
            <p className={styles['quiet']}>{t('curb:map.card.noRules')}</p>
          )}
          {card.policies.length ? (
            <>
              <h3 className={styles['part']}>{t('curb:map.card.policies')}</h3>
              <ol className={styles['policies']}>
                {card.policies.map(({ curb_policy_id: id, name, priority }) => (
                  <li key={id}>
                    <span>{name || t('curb:map.card.namelessPolicy')}</span>
                    <span className={styles['quiet']}>{t('curb:map.card.priority', { priority })}</span>
                  </li>
                ))}
              </ol>
            </>
          ) : null}
        </>
      ) : error ? (
        <FailedState error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton height={160} mt={8} />
      )}
    </section>
  )
}

/** Groups consecutive lines of the weekly schedule with the same days. */
function groupLinesByDays({ week }: Card): { days: number[]; lines: Card['week']['lines'] }[] {
  const groups: { days: number[]; lines: Card['week']['lines'] }[] = []
  for (const line of week.lines) {
    const last = groups.at(-1)
    if (last && last.days.join() === line.days.join()) last.lines.push(line)
    else groups.push({ days: line.days, lines: [line] })
  }
  return groups
}
