import { Button, Group, SegmentedControl, Select, TagsInput, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  changeReportSchedule,
  createReportSchedule,
  resetUnusedFilters,
  listReportSchedules,
  maxRecipients,
  type ReportCadence,
  reportCadences,
  type ReportFilters,
  type ReportSchedule,
  type ScheduledReport,
  scheduledReports,
} from '#contract/report-schedules.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { formatWeekday } from '#web/kit/weekdays.ts'
import { FormDialog } from '#web/kit/form-dialog.tsx'
import { showToast } from '#web/kit/toasts.tsx'
import { getReportName } from './schedule-text.ts'
import { useFormatFilters } from './use-filters-text.ts'

interface Props {
  regionId: string
  /** Default report of a new schedule. */
  report: ScheduledReport
  /** The filters of the page: those of a new schedule, and a choice for an existing one. */
  pageFilters: ReportFilters
  /** Null to create a schedule. */
  schedule: ReportSchedule | null
  onClose: () => void
}

const isEmail = (typed: string): boolean => /^[^\s@]+@[^\s@]+$/.test(typed)

/** Days to choose from by cadence: weekdays, or days of the month. */
const dayCounts = { weekly: 7, monthly: 31 } as const

/** Creates or edits a scheduled report. */
export function ScheduleForm({ regionId, report: defaultReport, pageFilters, schedule, onClose }: Props) {
  const { t, i18n } = useTranslation()
  const [report, setReport] = useState<ScheduledReport>(schedule?.report ?? defaultReport)
  const [cadence, setCadence] = useState<ReportCadence>(schedule?.cadence ?? 'weekly')
  const [filters, setFilters] = useState(schedule?.filters ?? pageFilters)
  const formatFilters = useFormatFilters(regionId)
  const ownFilters = resetUnusedFilters(report, filters)
  const ownPageFilters = resetUnusedFilters(report, pageFilters)
  const [day, setDay] = useState(schedule?.day ?? 1)
  const [recipients, setRecipients] = useState<string[]>(schedule?.recipients.map(({ email }) => email) ?? [])
  // The text in the field of recipients becomes one of them when the focus leaves it.
  const [typed, setTyped] = useState('')
  const create = useEndpointMutation(createReportSchedule, [listReportSchedules])
  const change = useEndpointMutation(changeReportSchedule, [listReportSchedules])
  const invalidRecipients = recipients.filter((recipient) => !isEmail(recipient))
  const typedRecipient = typed.trim()
  const onSuccess = (): void => {
    showToast(t('reporting:schedules.saved', { name: getReportName(report, t) }))
    onClose()
  }
  const submit = (): void => {
    const body = { report, cadence, day, filters: ownFilters, recipients }
    const params = { region_id: regionId }
    if (schedule)
      change.mutate({ params: { ...params, schedule_id: schedule.schedule_id }, body }, { onSuccess })
    else create.mutate({ params, body }, { onSuccess })
  }
  return (
    <FormDialog
      title={t(schedule ? 'reporting:schedules.edit' : 'reporting:schedules.add')}
      size={520}
      action={t('reporting:schedules.save')}
      isPending={create.isPending || change.isPending}
      isDisabled={
        invalidRecipients.length > 0 ||
        (typedRecipient === '' ? recipients.length === 0 : !isEmail(typedRecipient))
      }
      error={create.error ?? change.error}
      errorTitle={t('reporting:schedules.failed.save')}
      onSubmit={submit}
      onClose={onClose}
    >
      <Select
        label={t('reporting:schedules.report')}
        allowDeselect={false}
        data={scheduledReports.map((value) => ({ value, label: getReportName(value, t) }))}
        value={report}
        onChange={(value) => value && setReport(value as ScheduledReport)}
      />
      <Text size="sm">{formatFilters(ownFilters)}</Text>
      {JSON.stringify(ownFilters) === JSON.stringify(ownPageFilters) ? null : (
        <Button variant="default" onClick={() => setFilters(pageFilters)}>
          {t('reporting:schedules.filters.replace')}
        </Button>
      )}
      <Group align="flex-end" gap="sm">
        <SegmentedControl
          aria-label={t('reporting:schedules.cadence')}
          data={reportCadences.map((value) => ({ value, label: t(`reporting:schedules.${value}`) }))}
          value={cadence}
          onChange={(value) => {
            setCadence(value as ReportCadence)
            setDay(1)
          }}
        />
        <Select
          label={t(`reporting:schedules.dayOf.${cadence}`)}
          allowDeselect={false}
          data={Array.from({ length: dayCounts[cadence] }, (_, index) => ({
            value: String(index + 1),
            label: cadence === 'weekly' ? formatWeekday(index + 1, i18n.language, 'long') : String(index + 1),
          }))}
          value={String(day)}
          onChange={(value) => value && setDay(Number(value))}
        />
      </Group>
      <TagsInput
        label={t('reporting:schedules.recipients')}
        description={t('reporting:schedules.recipientsHint')}
        placeholder={t('reporting:schedules.recipientsPlaceholder')}
        splitChars={[',', ' ', ';']}
        maxTags={maxRecipients}
        acceptValueOnBlur
        error={
          invalidRecipients.length > 0
            ? t('reporting:schedules.mistyped', {
                names: new Intl.ListFormat(i18n.language).format(invalidRecipients),
              })
            : null
        }
        value={recipients}
        onChange={setRecipients}
        onSearchChange={setTyped}
      />
    </FormDialog>
  )
}
