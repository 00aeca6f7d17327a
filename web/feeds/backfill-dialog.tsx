import { MultiSelect, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { backFillFeed, type Feed, listFeeds, listPullWindows } from '#contract/feeds.ts'
import { startOfDay } from '#contract/civil-clock.ts'
import { dayFromNumber, dayNumber } from '#contract/period.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { useToday } from '#web/filters/use-today.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { DateRangePicker } from '#web/kit/dates/date-range-picker.tsx'
import { Dialog } from '#web/kit/dialog.tsx'
import { DialogFoot } from '#web/kit/dialog-foot.tsx'
import { FailedState } from '#web/kit/failed-state.tsx'
import { formatInteger, formatTimezone } from '#web/kit/format.ts'
import { SettingSwitch } from '#web/kit/setting-switch.tsx'

const hourMs = 3_600_000

/** Returns the start and end of local days, extended to full hours; null unless both days are set, in order. */
export function toPullPeriod(
  { from, to }: { from: string | null; to: string | null },
  timezone: string,
): { from: string; until: string } | null {
  if (from === null || to === null || to < from) return null
  const start = startOfDay(from, timezone)
  const end = startOfDay(dayFromNumber(dayNumber(to) + 1), timezone)
  return {
    from: new Date(Math.floor(start / hourMs) * hourMs).toISOString(),
    until: new Date(Math.ceil(end / hourMs) * hourMs).toISOString(),
  }
}

interface Props {
  feed: Feed
  timezone: string
  onClose: () => void
}

/** Requests the missing hours of some local days of a feed. */
export function BackfillDialog({ feed, timezone, onClose }: Props) {
  const { t } = useTranslation()
  const today = useToday(timezone)
  const [range, setRange] = useState<{ from: string | null; to: string | null }>({ from: today, to: today })
  const [streams, setStreams] = useState<string[]>([])
  const [repeatsDone, setRepeatsDone] = useState(false)
  const params = { region_id: feed.regionId, feed_id: feed.feedId }
  const pullWindows = useEndpointQuery(listPullWindows, { params, query: { size: 1 } }, { staleTime: 0 })
  const fill = useEndpointMutation(backFillFeed, [listFeeds, listPullWindows])
  const pullPeriod = toPullPeriod(range, timezone)
  const submit = () =>
    pullPeriod && fill.mutate({ params, body: { streams, ...pullPeriod, again: repeatsDone } })
  return (
    <Dialog size={520} title={t('feeds:backFill.title', { name: feed.name })} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Stack gap="md">
          <Text size="sm" c="dimmed">
            {t('feeds:backFill.text', { zone: formatTimezone(timezone) })}
          </Text>
          <DateRangePicker
            label={t('feeds:backFill.days')}
            range={range}
            today={today}
            maxDate={today}
            requireDates
            onChange={setRange}
          />
          <MultiSelect
            label={t('feeds:backFill.streams')}
            placeholder={streams.length ? '' : t('feeds:backFill.all')}
            data={pullWindows.data?.streams ?? []}
            value={streams}
            onChange={setStreams}
            clearable
            clearButtonProps={{ 'aria-label': t('feeds:backFill.clear') }}
          />
          <SettingSwitch
            label={t('feeds:backFill.again')}
            description={t('feeds:backFill.againNote')}
            checked={repeatsDone}
            onChange={(event) => setRepeatsDone(event.currentTarget.checked)}
          />
          {fill.error ? <FailedState error={fill.error} title={t('feeds:failed.backFill')} /> : null}
          {fill.data ? (
            <Text role="status">
              {t('feeds:backFill.done', { count: fill.data.wanted, shown: formatInteger(fill.data.wanted) })}
            </Text>
          ) : null}
        </Stack>
        <DialogFoot action={t('feeds:backFill.action')} isPending={fill.isPending} onCancel={onClose} />
      </form>
    </Dialog>
  )
}
