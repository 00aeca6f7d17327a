import { civilClock } from '#contract/civil-clock.ts'
import { dayNumber, LocalDay } from '#contract/period.ts'

/** The moment (ISO 8601, UTC) of a local date and time as an input writes it, `2026-08-08T08:51`, on the clocks of a zone. Null: none is written. */
export function momentOf(text: string, timezone: string): string | null {
  const match = /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2})(?::(\d{2}))?/.exec(text)
  const day = LocalDay.safeParse(match?.[1])
  if (!match || !day.success) return null
  return new Date(
    civilClock(timezone).instant(
      dayNumber(day.data),
      Number(match[2]) * 3600 + Number(match[3]) * 60 + Number(match[4] ?? 0),
    ).ms,
  ).toISOString()
}
