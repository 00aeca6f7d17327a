import { Button, Checkbox, Group, Select, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { IconPlus, IconRotate } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type Calibration,
  type CalibrationCell,
  ChangeKind,
  changeKinds,
  createCalibration,
  listCalibrations,
  recordCurbChange,
} from '#contract/curb-calibration.ts'
import { getOccupancy, getOccupancyDataTypes } from '#contract/curb-occupancy.ts'
import { dayFromNumber, dayNumber, type LocalDay } from '#contract/period.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { FormDialog } from '#web/kit/form-dialog.tsx'
import { formatDateTime, formatInteger, formatNumber, formatMissing } from '#web/kit/format.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { Table } from '#web/kit/table/table.tsx'
import { formatTimeRange, minutesPerDay, parseClock } from '#web/kit/time/time-of-day.ts'
import { useRegion } from '#web/shell/region.tsx'

/** Default time bands, in minutes of the local day: those of San Francisco, which suit most counts. */
const defaultBands = [
  { key: '08:00 – 11:00', from: 8 * 60, until: 11 * 60 },
  { key: '11:00 – 17:00', from: 11 * 60, until: 17 * 60 },
  { key: '17:00 – 20:00', from: 17 * 60, until: 20 * 60 },
]
const allDay = [{ key: '00:00 – 24:00', from: 0, until: minutesPerDay }]
const affectedQueries = [listCalibrations, getOccupancy, getOccupancyDataTypes]

/** Formats a key such as `08:00 – 11:00` in the user's time format; other keys are returned unchanged. */
const formatBandKey = (key: string): string => {
  const [, from, until] = /^(\d\d:\d\d) – (\d\d:\d\d)$/.exec(key) ?? []
  return from && until ? formatTimeRange(parseClock(from), parseClock(until)) : key
}

interface Props {
  regionId: string
  canEdit: boolean
  today: LocalDay
}

/** The calibrations, ratios of counted to paid occupancy, with dialogs to create and end them. */
export function Calibrations({ regionId, canEdit, today }: Props) {
  const { t } = useTranslation()
  const [dialog, setDialog] = useState<'create' | 'change' | null>(null)
  const list = useEndpointQuery(listCalibrations, { params: { region_id: regionId } })
  return (
    <section>
      <Group justify="space-between" mb="sm">
        <h2>{t('curb:calibration.title')}</h2>
        {canEdit ? (
          <Group gap="sm">
            <Button leftSection={<IconPlus size={18} />} onClick={() => setDialog('create')}>
              {t('curb:calibration.create')}
            </Button>
            <Button
              variant="default"
              leftSection={<IconRotate size={18} />}
              onClick={() => setDialog('change')}
            >
              {t('curb:calibration.change')}
            </Button>
          </Group>
        ) : null}
      </Group>
      <Text size="sm" c="dimmed" mb="sm">
        {t('curb:calibration.text')}
      </Text>
      <Loaded
        query={list}
        isEmpty={({ items }) => items.length === 0}
        empty={
          <EmptyState title={t('curb:calibration.empty.title')}>
            {t('curb:calibration.empty.text')}
          </EmptyState>
        }
      >
        {({ items }) => (
          <Stack gap="lg">
            {items.map((calibration) => (
              <CalibrationReport key={calibration.calibration_id} calibration={calibration} />
            ))}
          </Stack>
        )}
      </Loaded>
      {dialog === 'create' ? (
        <CreateDialog regionId={regionId} today={today} onClose={() => setDialog(null)} />
      ) : null}
      {dialog === 'change' ? (
        <ChangeDialog regionId={regionId} today={today} onClose={() => setDialog(null)} />
      ) : null}
    </section>
  )
}

function CalibrationReport({ calibration }: { calibration: Calibration }) {
  const { t } = useTranslation()
  const { timezone } = useRegion()
  const { name, start_date, end_date, valid_from, valid_until, expired, zone_ids: zones, cells } = calibration
  return (
    <article>
      <h3>{name}</h3>
      <Text size="sm">
        {t('curb:calibration.counted', { from: start_date, until: end_date })}
        {' · '}
        {zones === null
          ? t('curb:occupancy.allZones')
          : t('curb:calibration.zones', { count: zones.length, shown: formatInteger(zones.length) })}
        {' · '}
        {t(calibration.is_expired ? 'curb:calibration.wasValid' : 'curb:calibration.valid', {
          from: valid_from,
          until: dayFromNumber(dayNumber(valid_until) - 1),
        })}
        {' · '}
        {t('curb:calibration.by', {
          who: calibration.created_by,
          time: formatDateTime(calibration.created_time, timezone),
        })}
      </Text>
      {expired ? (
        <Text size="sm" role="status">
          {t('curb:calibration.expired', {
            kind: t(`curb:calibration.kind.${expired.kind}`),
            day: expired.day,
            who: expired.by,
          })}
          {expired.note ? ` ${expired.note}` : ''}
        </Text>
      ) : null}
      <Table
        label={name}
        rows={cells}
        rowKey={({ band, day_type: type }) => `${band} ${type}`}
        hasTools={false}
        columns={[
          {
            key: 'band',
            title: t('curb:occupancy.targets.band'),
            value: ({ band }: CalibrationCell) => band,
            renderCell: ({ band }: CalibrationCell) => formatBandKey(band),
          },
          {
            key: 'type',
            title: t('curb:calibration.dayType'),
            value: ({ day_type: type }) => formatDayTypeKey(type, t),
          },
          {
            key: 'k',
            title: t('curb:calibration.k'),
            isNumber: true,
            value: ({ k }) => k,
            renderCell: ({ k }) => (k === null ? formatMissing() : formatNumber(k, 2)),
          },
          {
            key: 'interval',
            title: t('curb:occupancy.column.interval'),
            isNumber: true,
            canSort: false,
            value: ({ interval }) =>
              interval ? `${formatNumber(interval[0], 2)} – ${formatNumber(interval[1], 2)}` : null,
          },
          { key: 'n', title: t('curb:calibration.n'), isNumber: true, value: ({ n }) => n },
          {
            key: 'counted',
            title: t('curb:calibration.countedHours'),
            isNumber: true,
            value: (row) => row.counted_hours,
            renderCell: ({ counted_hours: hours }) => formatNumber(hours, 1),
          },
          {
            key: 'paid',
            title: t('curb:calibration.paidHours'),
            isNumber: true,
            value: (row) => row.paid_hours,
            renderCell: ({ paid_hours: hours }) => formatNumber(hours, 1),
          },
        ]}
      />
    </article>
  )
}

const dayTypes = [
  { key: 'weekday', weekdays: [1, 2, 3, 4, 5] },
  { key: 'weekend', weekdays: [6, 7] },
]
const formatDayTypeKey = (key: string, t: ReturnType<typeof useTranslation>['t']): string =>
  key === 'weekday' || key === 'weekend' ? t(`curb:calibration.type.${key}`) : key

const defaultDays = 90

interface DialogProps {
  regionId: string
  today: LocalDay
  onClose: () => void
}

function CreateDialog({ regionId, today, onClose }: DialogProps) {
  const { t } = useTranslation()
  const [name, setName] = useState('')
  const [from, setFrom] = useState(dayFromNumber(dayNumber(today) - defaultDays))
  const [until, setUntil] = useState(today)
  const [isByBand, setIsByBand] = useState(true)
  const create = useEndpointMutation(createCalibration, affectedQueries)
  return (
    <FormDialog
      title={t('curb:calibration.createTitle')}
      action={t('curb:calibration.create')}
      isPending={create.isPending}
      isDisabled={name.trim() === '' || from === '' || from > until}
      error={create.error}
      errorTitle={t('curb:calibration.createFailed')}
      onSubmit={() =>
        create.mutate(
          {
            params: { region_id: regionId },
            body: {
              name: name.trim(),
              bands: isByBand ? defaultBands : allDay,
              day_types: dayTypes,
              start_date: from,
              end_date: until,
            },
          },
          { onSuccess: onClose },
        )
      }
      onClose={onClose}
    >
      <TextInput
        label={t('curb:calibration.name')}
        required
        maxLength={200}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Group grow>
        <TextInput
          type="date"
          label={t('curb:calibration.from')}
          value={from}
          onChange={(event) => setFrom(event.currentTarget.value)}
        />
        <TextInput
          type="date"
          label={t('curb:calibration.until')}
          value={until}
          onChange={(event) => setUntil(event.currentTarget.value)}
        />
      </Group>
      <Checkbox
        label={t('curb:calibration.byBand')}
        checked={isByBand}
        onChange={(event) => setIsByBand(event.currentTarget.checked)}
      />
      <Text size="sm" c="dimmed">
        {t('curb:calibration.createText')}
      </Text>
    </FormDialog>
  )
}

function ChangeDialog({ regionId, today, onClose }: DialogProps) {
  const { t } = useTranslation()
  const [kind, setKind] = useState<ChangeKind>('rules')
  const [day, setDay] = useState(today)
  const [note, setNote] = useState('')
  const record = useEndpointMutation(recordCurbChange, affectedQueries)
  return (
    <FormDialog
      title={t('curb:calibration.changeTitle')}
      action={t('curb:calibration.changeAction')}
      isPending={record.isPending}
      isDisabled={!day}
      error={record.error}
      errorTitle={t('curb:calibration.changeFailed')}
      onSubmit={() =>
        record.mutate({ params: { region_id: regionId }, body: { kind, day, note } }, { onSuccess: onClose })
      }
      onClose={onClose}
    >
      <Text>{t('curb:calibration.changeText')}</Text>
      <Select
        label={t('curb:calibration.what')}
        allowDeselect={false}
        data={changeKinds.map((value) => ({ value, label: t(`curb:calibration.kind.${value}`) }))}
        value={kind}
        onChange={(value) => setKind(ChangeKind.safeParse(value).data ?? kind)}
      />
      <TextInput
        type="date"
        label={t('curb:calibration.day')}
        value={day}
        onChange={(event) => setDay(event.currentTarget.value)}
      />
      <Textarea
        label={t('curb:calibration.note')}
        maxLength={1000}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
