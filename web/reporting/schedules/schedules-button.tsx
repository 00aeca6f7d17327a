import { Button } from '@mantine/core'
import { IconCalendarTime } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ReportFilters, ScheduledReport } from '#contract/report-schedules.ts'
import { SchedulesDialog } from './schedules-dialog.tsx'

interface Props {
  /** The report of the page, the default of a new schedule. */
  report: ScheduledReport
  /** The filters of the page, those of a new schedule. */
  pageFilters: ReportFilters
  regionId: string
  timezone: string
}

/** The button that opens the dialog of the region's scheduled reports. */
export function SchedulesButton(props: Props) {
  const { t } = useTranslation()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconCalendarTime size={18} />}
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
      >
        {t('reporting:schedules.open')}
      </Button>
      {isOpen ? <SchedulesDialog {...props} onClose={() => setIsOpen(false)} /> : null}
    </>
  )
}
