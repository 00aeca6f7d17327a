import type { TFunction } from 'i18next'
import { localDay } from '#contract/period.ts'
import type { PublicPolicy } from '#contract/public-policies.ts'

/** Statuses in the order in which they matter to the public. */
export const publicStatuses = ['inForce', 'coming', 'ended'] as const
export type PublicStatus = (typeof publicStatuses)[number]

type EffectivePeriod = Pick<PublicPolicy, 'effective_from' | 'effective_until'>

/** Returns the status of a policy at a time in ms since 1970. */
export function getPublicStatus(
  { effective_from: from, effective_until: until }: EffectivePeriod,
  at: number,
): PublicStatus {
  if (Date.parse(from) > at) return 'coming'
  return until !== null && Date.parse(until) <= at ? 'ended' : 'inForce'
}

interface TextContext {
  t: TFunction
  language: string
  /** Of the region: days are those of the city, whatever the browser's time zone. */
  timezone: string
}

/** Formats the period in days of the region; a policy that begins today also has a time. */
export function formatEffectivePeriod(
  { effective_from: from, effective_until: until }: EffectivePeriod,
  at: number,
  { t, language, timezone }: TextContext,
): string {
  const formatTime = (time: number, withClock = false): string =>
    new Intl.DateTimeFormat(language, {
      dateStyle: 'medium',
      timeZone: timezone,
      ...(withClock ? { timeStyle: 'short' } : {}),
    }).format(time)
  const start = Date.parse(from)
  const status = getPublicStatus({ effective_from: from, effective_until: until }, at)
  const first = formatTime(
    start,
    status === 'coming' && localDay(new Date(start), timezone) === localDay(new Date(at), timezone),
  )
  // The end is exclusive; the shown day is the last one in force.
  const last = until === null ? null : formatTime(Date.parse(until) - 1)
  if (status === 'ended') return t('policies:public.ended', { until: last })
  if (last !== null) return t('policies:public.fromUntil', { from: first, until: last })
  return t(status === 'coming' ? 'policies:public.starting' : 'policies:public.from', { from: first })
}
